package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Makes images: sparse files with an ext4 file system whose UUID is the volume's id. */
final class Images {
    private static final long MINUTES = 2;

    private final List<String> mkfs;

    Images() {
        this(List.of("mkfs.ext4"));
    }

    /** With another program in the place of mkfs.ext4. */
    Images(List<String> mkfs) {
        this.mkfs = List.copyOf(mkfs);
    }

    /** Makes {@code image}, durably. */
    void make(Path image, long bytes, String id)
            throws DiskTrouble, KernelTrouble, InterruptedException {
        try (FileChannel file =
                FileChannel.open(
                        image,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            file.write(ByteBuffer.allocate(1), bytes - 1);
            format(image, id);
            file.force(true);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "making the image " + image + " failed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private void format(Path image, String id)
            throws IOException, KernelTrouble, InterruptedException {
        List<String> command = new ArrayList<>(mkfs);
        // -m 0: nothing is kept back for root, who is the only user as far as the image knows.
        command.addAll(List.of("-q", "-F", "-m", "0", "-U", id, image.toString()));
        Process process = start(command);
        try {
            process.getOutputStream().close();
            // A few lines, less than a pipe holds.
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw refused(image, "did not end within " + MINUTES + " minutes");
            }
            if (process.exitValue() != 0) {
                String words =
                        new String(
                                process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
                throw refused(
                        image, "ended with code " + process.exitValue() + ": " + words.strip());
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(List<String> command) throws KernelTrouble {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new KernelTrouble(
                    mkfs.getFirst()
                            + " could not be started: "
                            + absent.getMessage()
                            + "; it is in the package e2fsprogs",
                    Effect.NONE,
                    Retry.NEVER,
                    absent);
        }
    }

    private KernelTrouble refused(Path image, String how) {
        return new KernelTrouble(
                mkfs.getFirst() + " of " + image + " " + how, Effect.NONE, Retry.SAME_CALL);
    }
}
