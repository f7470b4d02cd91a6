export {
  AdminLoginChallengeResource,
  AdminSessionResource,
  finishAdminLogin,
  isLiveAdminSession,
  logInAdmin,
  logOutAdmin,
  presentAdminLoginChallenge,
  presentAdminSession,
} from "./log-in-admin.ts";
export { createAdmin, disableAdmin, isWorkingAdmin, listAdmins, type NewAdmin, putAdmin } from "./manage-admins.ts";
export { recordAdminAccess } from "./record-admin-access.ts";
export { adminSealedColumns } from "./sealed-columns.ts";
