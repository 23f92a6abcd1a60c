package io.cleat.launch;

import java.nio.file.Path;
import java.util.List;

/** What a person can do when an agent cannot start from what it stored. */
final class RecoveryAdvice {
    private RecoveryAdvice() {}

    /** When the log holds what this program cannot read or apply. */
    static List<String> ofTheLog(Path data) {
        return List.of(
                "Tasks and mounts go on meanwhile; nothing of them is lost. Ways on:",
                "1. Start the program that wrote the entry, or a newer one, on the same directory.",
                "2. Keep a copy of " + data + ", and restore its server/log from a backup.",
                "3. Keep a copy, move "
                        + data
                        + "/server/log away, and start: the cluster begins empty. Register volumes and jobs again.",
                "After 2 and 3 nodes do not obey until they are told to: docs/other-past.md.",
                "Keep the copy for a report: docs/log-cannot-be-read.md says more.");
    }
}
