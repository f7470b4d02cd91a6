export { type CreateAdmin, createAdmin, type NewAdmin } from "./create-admin.ts";
export { disableAdmin } from "./disable-admin.ts";
export { finishAdminLogin } from "./finish-admin-login.ts";
export { isLiveAdminSession } from "./is-live-admin-session.ts";
export { type AdminSecrets, isWorkingAdmin } from "./is-working-admin.ts";
export { type ListedAdmin, listAdmins } from "./list-admins.ts";
export { CHALLENGE_SECONDS, logInAdmin } from "./log-in-admin.ts";
export { logOutAdmin } from "./log-out-admin.ts";
export { putAdmin } from "./put-admin.ts";
