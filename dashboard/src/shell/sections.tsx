import {
  IconBolt,
  IconBox,
  IconBuildingBank,
  IconClipboardCheck,
  IconHistory,
  IconHome,
  IconKey,
  IconListSearch,
  IconLock,
  IconReceipt,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconWallet,
} from "@tabler/icons-react";
import type { Section } from "../ui/frame.tsx";

export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: IconHome },
  { to: "/projects", label: "Projects", icon: IconBox },
  { to: "/agents", label: "Agents", icon: IconRobot },
  { to: "/policies", label: "Policies", icon: IconShieldCheck },
  { to: "/approvals", label: "Approvals", icon: IconClipboardCheck },
  { to: "/payments", label: "Payments", icon: IconReceipt },
  { to: "/wallets", label: "Wallets", icon: IconWallet },
  { to: "/fiat", label: "Fiat", icon: IconBuildingBank },
  { to: "/keys", label: "API keys", icon: IconKey },
  { to: "/provider-keys", label: "Provider keys", icon: IconLock },
  { to: "/requests", label: "Request log", icon: IconListSearch },
  { to: "/audit", label: "Audit trail", icon: IconHistory },
  { to: "/kill-switch", label: "Kill switch", icon: IconBolt },
  { to: "/settings", label: "Settings", icon: IconSettings },
];
