import { Badge, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Developer, TotpEnrollment } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { OnceDialog } from "../ui/forms/once-dialog.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { type LoginProof, textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { QrCode } from "../ui/qr-code.tsx";
import { Section } from "../ui/section.tsx";

/** The secret that an app needs, and the proof of the login with which it was asked for. Its confirmation needs it too. */
type Setup = TotpEnrollment & { readonly proof: LoginProof };

const CODE = { name: "code", label: "Code", autoComplete: "one-time-code", required: true } as const;

/** Turns the second factor on, with a QR code and a first code, or off. */
export function TwoFactor({ developer }: { readonly developer: Developer }) {
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = async (_: unknown, proof: LoginProof) => {
    const { data } = await api.POST("/developers/dashboard/mfa/totp", { body: proof });
    setSetup(data && { ...data, proof });
  };
  const confirmed = (recoveryCodes: readonly string[]) => {
    setSetup(undefined);
    setCodes(recoveryCodes);
  };
  const actions = developer.mfa_enabled ? (
    <>
      <Badge {...{ variant: "light", color: "teal", tt: "none" }}>On</Badge>
      <ActionDialog
        title="Turn off two-factor authentication"
        button="Turn off"
        buttonProps={{ size: "xs" }}
        action="Turn it off"
        isDangerous
        fields={[{ ...CODE, description: "A code of the app, or a recovery code" }]}
        run={({ code }) =>
          api.POST("/developers/dashboard/mfa/totp/disable", { body: { code: code.replaceAll(" ", "") } })
        }
      />
    </>
  ) : (
    <ActionDialog
      title="Set up two-factor authentication"
      button="Set up"
      buttonProps={{ variant: "default", size: "xs" }}
      action="Show the QR code"
      run={begin}
      text="You need an authenticator app. You get ten recovery codes, for the day on which you lose it."
    />
  );
  const intro = "A code of an authenticator app, in addition to your password or provider.";
  return (
    <Section title="Two-factor authentication" intro={intro} actions={actions}>
      {setup && !developer.mfa_enabled && (
        <Confirm setup={setup} confirmed={confirmed} cancel={() => setSetup(undefined)} />
      )}
      <OnceDialog
        title="Your recovery codes"
        secrets={codes?.map((code, index) => [`Code ${index + 1}`, code])}
        close={() => setCodes(undefined)}
      >
        <Text size="sm" component="div">
          Each code works once in place of a code of the app.{" "}
          <CopyText text={codes?.join("\n") ?? ""} what="recovery codes" shown="All ten" />
        </Text>
      </OnceDialog>
    </Section>
  );
}

interface ConfirmProps {
  readonly setup: Setup;
  readonly confirmed: (recoveryCodes: readonly string[]) => void;
  readonly cancel: () => void;
}

function Confirm({ setup: { otpauth_url, secret, proof }, confirmed, cancel }: ConfirmProps) {
  const form = useSubmit(async (fields, newProof) => {
    const body = {
      ...(Object.values(newProof).some(Boolean) ? newProof : proof),
      code: textOf(fields, "code").replaceAll(" ", ""),
    };
    const { data } = await api.POST("/developers/dashboard/mfa/totp/confirm", { body });
    confirmed(data?.recovery_codes ?? []);
  });
  const code = { ...CODE, description: "The six digits that the app shows now", inputMode: "numeric" } as const;
  return (
    <Group align="start">
      <QrCode text={otpauth_url} label="QR code for the authenticator app" width={200} />
      <Stack flex="1 1 16rem">
        <Text size="sm" component="div">
          Scan the code with your app, or type this secret into it: <CopyText text={secret} what="secret" />
        </Text>
        <SubmitForm form={form} action="Turn on" cancel={cancel} fields={[code]} />
      </Stack>
    </Group>
  );
}
