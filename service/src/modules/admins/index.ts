export {
  AdminLoginChallengeResource,
  AdminSessionResource,
  presentAdminLoginChallenge,
  presentAdminSession,
} from "./admin-session-resource.ts";
export { createAdmin, type NewAdmin } from "./create-admin.ts";
export { disableAdmin } from "./disable-admin.ts";
export { finishAdminLogin } from "./finish-admin-login.ts";
export { isLiveAdminSession } from "./is-live-admin-session.ts";
export { isWorkingAdmin } from "./is-working-admin.ts";
export { listAdmins } from "./list-admins.ts";
export { logInAdmin } from "./log-in-admin.ts";
export { logOutAdmin } from "./log-out-admin.ts";
export { putAdmin } from "./put-admin.ts";
export { recordAdminAccess } from "./record-admin-access.ts";
export { adminSealedColumns } from "./sealed-columns.ts";
