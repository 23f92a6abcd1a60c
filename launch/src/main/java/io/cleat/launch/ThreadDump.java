package io.cleat.launch;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Where each thread of this process is, virtual ones too, in a file that only its owner reads. */
final class ThreadDump {
    /** With the one that is written; the oldest go. */
    static final int KEPT = 3;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'threads-'yyyyMMdd-HHmmss-SSS'.txt'").withZone(ZoneOffset.UTC);

    private ThreadDump() {}

    /**
     * Writes one.
     *
     * @param directory for nothing else
     */
    static Path write(Path directory, Instant now) throws DiskTrouble {
        Path file = directory.resolve(NAME.format(now)).toAbsolutePath();
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectory(directory);
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            removeOldest(directory);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException failed) {
            throw new DiskTrouble("writing " + file + ": " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private static void removeOldest(Path directory) throws IOException {
        List<Path> dumps = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "threads-*.txt")) {
            files.forEach(dumps::add);
        }
        dumps.sort(null);
        for (Path old : dumps.subList(0, Math.max(0, dumps.size() - KEPT + 1))) {
            Files.delete(old);
        }
    }
}
