package io.cleat.api;

import java.util.Map;

/** Something that happened to a task. {@code Time} in ns since the epoch; other durations in ns. */
public record TaskEvent(
        Map<String, String> Details,
        long DiskLimit,
        String DisplayMessage,
        String DownloadError,
        String DriverError,
        String DriverMessage,
        int ExitCode,
        String FailedSibling,
        boolean FailsTask,
        String GenericSource,
        String KillError,
        String KillReason,
        long KillTimeout,
        String Message,
        String RestartReason,
        String SetupError,
        int Signal,
        long StartDelay,
        String TaskSignal,
        String TaskSignalReason,
        long Time,
        String Type,
        String ValidationError,
        String VaultError) {}
