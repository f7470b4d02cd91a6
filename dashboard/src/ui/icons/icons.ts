// Generated from @tabler/icons-react (MIT license, copyright Paweł Kuna) by `npm run generate`. Do not edit.
import { icon } from "./icon.ts";

export const IconAlertCircle = icon([["path",{"d":"M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0","key":"svg-0"}],["path",{"d":"M12 8v4","key":"svg-1"}],["path",{"d":"M12 16h.01","key":"svg-2"}]]);

export const IconBolt = icon([["path",{"d":"M13 3l0 7l6 0l-8 11l0 -7l-6 0l8 -11","key":"svg-0"}]]);

export const IconBox = icon([["path",{"d":"M12 3l8 4.5l0 9l-8 4.5l-8 -4.5l0 -9l8 -4.5","key":"svg-0"}],["path",{"d":"M12 12l8 -4.5","key":"svg-1"}],["path",{"d":"M12 12l0 9","key":"svg-2"}],["path",{"d":"M12 12l-8 -4.5","key":"svg-3"}]]);

export const IconBuilding = icon([["path",{"d":"M3 21l18 0","key":"svg-0"}],["path",{"d":"M9 8l1 0","key":"svg-1"}],["path",{"d":"M9 12l1 0","key":"svg-2"}],["path",{"d":"M9 16l1 0","key":"svg-3"}],["path",{"d":"M14 8l1 0","key":"svg-4"}],["path",{"d":"M14 12l1 0","key":"svg-5"}],["path",{"d":"M14 16l1 0","key":"svg-6"}],["path",{"d":"M5 21v-16a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v16","key":"svg-7"}]]);

export const IconBuildingBank = icon([["path",{"d":"M3 21l18 0","key":"svg-0"}],["path",{"d":"M3 10l18 0","key":"svg-1"}],["path",{"d":"M5 6l7 -3l7 3","key":"svg-2"}],["path",{"d":"M4 10l0 11","key":"svg-3"}],["path",{"d":"M20 10l0 11","key":"svg-4"}],["path",{"d":"M8 14l0 3","key":"svg-5"}],["path",{"d":"M12 14l0 3","key":"svg-6"}],["path",{"d":"M16 14l0 3","key":"svg-7"}]]);

export const IconCheck = icon([["path",{"d":"M5 12l5 5l10 -10","key":"svg-0"}]]);

export const IconCircle = icon([["path",{"d":"M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0","key":"svg-0"}]]);

export const IconCircleDashed = icon([["path",{"d":"M8.56 3.69a9 9 0 0 0 -2.92 1.95","key":"svg-0"}],["path",{"d":"M3.69 8.56a9 9 0 0 0 -.69 3.44","key":"svg-1"}],["path",{"d":"M3.69 15.44a9 9 0 0 0 1.95 2.92","key":"svg-2"}],["path",{"d":"M8.56 20.31a9 9 0 0 0 3.44 .69","key":"svg-3"}],["path",{"d":"M15.44 20.31a9 9 0 0 0 2.92 -1.95","key":"svg-4"}],["path",{"d":"M20.31 15.44a9 9 0 0 0 .69 -3.44","key":"svg-5"}],["path",{"d":"M20.31 8.56a9 9 0 0 0 -1.95 -2.92","key":"svg-6"}],["path",{"d":"M15.44 3.69a9 9 0 0 0 -3.44 -.69","key":"svg-7"}]]);

export const IconClipboardCheck = icon([["path",{"d":"M9 5h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2h-2","key":"svg-0"}],["path",{"d":"M9 5a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2","key":"svg-1"}],["path",{"d":"M9 14l2 2l4 -4","key":"svg-2"}]]);

export const IconCopy = icon([["path",{"d":"M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666","key":"svg-0"}],["path",{"d":"M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1","key":"svg-1"}]]);

export const IconDownload = icon([["path",{"d":"M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2","key":"svg-0"}],["path",{"d":"M7 11l5 5l5 -5","key":"svg-1"}],["path",{"d":"M12 4l0 12","key":"svg-2"}]]);

export const IconHeartbeat = icon([["path",{"d":"M19.5 13.572l-7.5 7.428l-2.896 -2.868m-6.117 -8.104a5 5 0 0 1 9.013 -3.022a5 5 0 1 1 7.5 6.572","key":"svg-0"}],["path",{"d":"M3 13h2l2 3l2 -6l1 3h3","key":"svg-1"}]]);

export const IconHistory = icon([["path",{"d":"M12 8l0 4l2 2","key":"svg-0"}],["path",{"d":"M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5","key":"svg-1"}]]);

export const IconHome = icon([["path",{"d":"M5 12l-2 0l9 -9l9 9l-2 0","key":"svg-0"}],["path",{"d":"M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-7","key":"svg-1"}],["path",{"d":"M9 21v-6a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v6","key":"svg-2"}]]);

export const IconKey = icon([["path",{"d":"M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0","key":"svg-0"}],["path",{"d":"M15 9h.01","key":"svg-1"}]]);

export const IconListSearch = icon([["path",{"d":"M11 15a4 4 0 1 0 8 0a4 4 0 1 0 -8 0","key":"svg-0"}],["path",{"d":"M18.5 18.5l2.5 2.5","key":"svg-1"}],["path",{"d":"M4 6h16","key":"svg-2"}],["path",{"d":"M4 12h4","key":"svg-3"}],["path",{"d":"M4 18h4","key":"svg-4"}]]);

export const IconLock = icon([["path",{"d":"M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-6","key":"svg-0"}],["path",{"d":"M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0","key":"svg-1"}],["path",{"d":"M8 11v-4a4 4 0 1 1 8 0v4","key":"svg-2"}]]);

export const IconMinus = icon([["path",{"d":"M5 12l14 0","key":"svg-0"}]]);

export const IconMoon = icon([["path",{"d":"M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008","key":"svg-0"}]]);

export const IconPlayerPlay = icon([["path",{"d":"M7 4v16l13 -8l-13 -8","key":"svg-0"}]]);

export const IconReceipt = icon([["path",{"d":"M5 21v-16a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v16l-3 -2l-2 2l-2 -2l-2 2l-2 -2l-3 2m4 -14h6m-6 4h6m-2 4h2","key":"svg-0"}]]);

export const IconRobot = icon([["path",{"d":"M6 6a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -4","key":"svg-0"}],["path",{"d":"M12 2v2","key":"svg-1"}],["path",{"d":"M9 12v9","key":"svg-2"}],["path",{"d":"M15 12v9","key":"svg-3"}],["path",{"d":"M5 16l4 -2","key":"svg-4"}],["path",{"d":"M15 14l4 2","key":"svg-5"}],["path",{"d":"M9 18h6","key":"svg-6"}],["path",{"d":"M10 8v.01","key":"svg-7"}],["path",{"d":"M14 8v.01","key":"svg-8"}]]);

export const IconRotate2 = icon([["path",{"d":"M15 4.55a8 8 0 0 0 -6 14.9m0 -4.45v5h-5","key":"svg-0"}],["path",{"d":"M18.37 7.16l0 .01","key":"svg-1"}],["path",{"d":"M13 19.94l0 .01","key":"svg-2"}],["path",{"d":"M16.84 18.37l0 .01","key":"svg-3"}],["path",{"d":"M19.37 15.1l0 .01","key":"svg-4"}],["path",{"d":"M19.94 11l0 .01","key":"svg-5"}]]);

export const IconSearch = icon([["path",{"d":"M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0","key":"svg-0"}],["path",{"d":"M21 21l-6 -6","key":"svg-1"}]]);

export const IconSettings = icon([["path",{"d":"M10.325 4.317c.426 -1.756 2.924 -1.756 3.35 0a1.724 1.724 0 0 0 2.573 1.066c1.543 -.94 3.31 .826 2.37 2.37a1.724 1.724 0 0 0 1.065 2.572c1.756 .426 1.756 2.924 0 3.35a1.724 1.724 0 0 0 -1.066 2.573c.94 1.543 -.826 3.31 -2.37 2.37a1.724 1.724 0 0 0 -2.572 1.065c-.426 1.756 -2.924 1.756 -3.35 0a1.724 1.724 0 0 0 -2.573 -1.066c-1.543 .94 -3.31 -.826 -2.37 -2.37a1.724 1.724 0 0 0 -1.065 -2.572c-1.756 -.426 -1.756 -2.924 0 -3.35a1.724 1.724 0 0 0 1.066 -2.573c-.94 -1.543 .826 -3.31 2.37 -2.37c1 .608 2.296 .07 2.572 -1.065","key":"svg-0"}],["path",{"d":"M9 12a3 3 0 1 0 6 0a3 3 0 0 0 -6 0","key":"svg-1"}]]);

export const IconShieldCheck = icon([["path",{"d":"M11.46 20.846a12 12 0 0 1 -7.96 -14.846a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.09 7.06","key":"svg-0"}],["path",{"d":"M15 19l2 2l4 -4","key":"svg-1"}]]);

export const IconSnowflake = icon([["path",{"d":"M10 4l2 1l2 -1","key":"svg-0"}],["path",{"d":"M12 2v6.5l3 1.72","key":"svg-1"}],["path",{"d":"M17.928 6.268l.134 2.232l1.866 1.232","key":"svg-2"}],["path",{"d":"M20.66 7l-5.629 3.25l.01 3.458","key":"svg-3"}],["path",{"d":"M19.928 14.268l-1.866 1.232l-.134 2.232","key":"svg-4"}],["path",{"d":"M20.66 17l-5.629 -3.25l-2.99 1.738","key":"svg-5"}],["path",{"d":"M14 20l-2 -1l-2 1","key":"svg-6"}],["path",{"d":"M12 22v-6.5l-3 -1.72","key":"svg-7"}],["path",{"d":"M6.072 17.732l-.134 -2.232l-1.866 -1.232","key":"svg-8"}],["path",{"d":"M3.34 17l5.629 -3.25l-.01 -3.458","key":"svg-9"}],["path",{"d":"M4.072 9.732l1.866 -1.232l.134 -2.232","key":"svg-10"}],["path",{"d":"M3.34 7l5.629 3.25l2.99 -1.738","key":"svg-11"}]]);

export const IconSun = icon([["path",{"d":"M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0","key":"svg-0"}],["path",{"d":"M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7","key":"svg-1"}]]);

export const IconTool = icon([["path",{"d":"M7 10h3v-3l-3.5 -3.5a6 6 0 0 1 8 8l6 6a2 2 0 0 1 -3 3l-6 -6a6 6 0 0 1 -8 -8l3.5 3.5","key":"svg-0"}]]);

export const IconTrash = icon([["path",{"d":"M4 7l16 0","key":"svg-0"}],["path",{"d":"M10 11l0 6","key":"svg-1"}],["path",{"d":"M14 11l0 6","key":"svg-2"}],["path",{"d":"M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12","key":"svg-3"}],["path",{"d":"M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3","key":"svg-4"}]]);

export const IconUserCircle = icon([["path",{"d":"M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0","key":"svg-0"}],["path",{"d":"M9 10a3 3 0 1 0 6 0a3 3 0 1 0 -6 0","key":"svg-1"}],["path",{"d":"M6.168 18.849a4 4 0 0 1 3.832 -2.849h4a4 4 0 0 1 3.834 2.855","key":"svg-2"}]]);

export const IconWallet = icon([["path",{"d":"M17 8v-3a1 1 0 0 0 -1 -1h-10a2 2 0 0 0 0 4h12a1 1 0 0 1 1 1v3m0 4v3a1 1 0 0 1 -1 1h-12a2 2 0 0 1 -2 -2v-12","key":"svg-0"}],["path",{"d":"M20 12v4h-4a2 2 0 0 1 0 -4h4","key":"svg-1"}]]);

export const IconWebhook = icon([["path",{"d":"M4.876 13.61a4 4 0 1 0 6.124 3.39h6","key":"svg-0"}],["path",{"d":"M15.066 20.502a4 4 0 1 0 1.934 -7.502c-.706 0 -1.424 .179 -2 .5l-3 -5.5","key":"svg-1"}],["path",{"d":"M16 8a4 4 0 1 0 -8 0c0 1.506 .77 2.818 2 3.5l-3 5.5","key":"svg-2"}]]);

export const IconX = icon([["path",{"d":"M18 6l-12 12","key":"svg-0"}],["path",{"d":"M6 6l12 12","key":"svg-1"}]]);
