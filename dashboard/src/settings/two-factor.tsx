import { Badge, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Developer, TotpEnrollment } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog, type LoginProof } from "../ui/forms/action-dialog.tsx";
import { OnceDialog } from "../ui/forms/once-dialog.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { QrCode } from "./qr-code.tsx";

/** Turns the second factor on, with a QR code and a first code, or off. */
export function TwoFactor({ developer }: { readonly developer: Developer }) {
  const [enrollment, setEnrollment] = useState<TotpEnrollment>();
  const [proof, setProof] = useState<LoginProof>({});
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = async (proof: object) => {
    const { data } = await api.POST("/developers/dashboard/mfa/totp", { body: proof });
    setEnrollment(data);
    setProof(proof);
  };
  const confirmed = (recoveryCodes: readonly string[]) => {
    setEnrollment(undefined);
    setCodes(recoveryCodes);
  };
  return (
    <Section
      title="Two-factor authentication"
      intro="A code of an authenticator app, in addition to your password or provider."
      actions={
        developer.mfa_enabled ? (
          <>
            <Badge variant="light" color="teal" tt="none">
              On
            </Badge>
            <Disable />
          </>
        ) : (
          <ActionDialog
            title="Set up two-factor authentication"
            button="Set up"
            buttonProps={{ variant: "default", size: "xs" }}
            action="Show the QR code"
            run={begin}
          >
            <Text size="sm">
              You need an authenticator app. You get ten recovery codes, for the day on which you lose it.
            </Text>
          </ActionDialog>
        )
      }
    >
      {enrollment !== undefined && !developer.mfa_enabled && (
        <Confirm enrollment={enrollment} proof={proof} confirmed={confirmed} cancel={() => setEnrollment(undefined)} />
      )}
      <OnceDialog
        title="Your recovery codes"
        secrets={codes?.map((code, index) => [`Code ${index + 1}`, code])}
        close={() => setCodes(undefined)}
      >
        {codes !== undefined && (
          <Text size="sm" component="div">
            Each code works once in place of a code of the app.{" "}
            <CopyText text={codes.join("\n")} what="recovery codes" shown="All ten" />
          </Text>
        )}
      </OnceDialog>
    </Section>
  );
}

function Confirm({
  enrollment: { otpauth_url, secret },
  proof,
  confirmed,
  cancel,
}: {
  readonly enrollment: TotpEnrollment;
  /** With which the setup was begun. Its confirmation needs it too. */
  readonly proof: LoginProof;
  readonly confirmed: (recoveryCodes: readonly string[]) => void;
  readonly cancel: () => void;
}) {
  const client = useQueryClient();
  const { error, isRunning, submit } = useSubmit(async (form) => {
    const body = { ...proof, code: textOf(form, "code").replaceAll(" ", "") };
    const { data } = await api.POST("/developers/dashboard/mfa/totp/confirm", { body });
    confirmed(data?.recovery_codes ?? []);
    await client.invalidateQueries();
  });
  return (
    <form onSubmit={submit}>
      <Group align="start">
        <QrCode text={otpauth_url} label="QR code for the authenticator app" />
        <Stack flex="1 1 16rem">
          <Text size="sm" component="div">
            Scan the code with your app, or type this secret into it: <CopyText text={secret} what="secret" />
          </Text>
          <TextInput
            name="code"
            label="Code"
            description="The six digits that the app shows now"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            error={error instanceof RequestError ? error.fields["code"] : undefined}
          />
          <ProblemAlert error={error} />
          <Group>
            <Button type="submit" loading={isRunning}>
              Turn on
            </Button>
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Group>
    </form>
  );
}

function Disable() {
  const input = useRef<HTMLInputElement>(null);
  const disable = () => {
    const code = (input.current?.value ?? "").replaceAll(" ", "");
    return api.POST("/developers/dashboard/mfa/totp/disable", { body: { code } });
  };
  return (
    <ActionDialog
      title="Turn off two-factor authentication"
      button="Turn off"
      buttonProps={{ variant: "light", color: "red", size: "xs" }}
      action="Turn it off"
      isDangerous
      run={disable}
    >
      <TextInput
        ref={input}
        label="Code"
        description="A code of the app, or a recovery code"
        autoComplete="one-time-code"
        required
        data-autofocus
      />
    </ActionDialog>
  );
}
