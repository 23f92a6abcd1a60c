package io.cleat.agent;

import io.cleat.base.Sha256;
import io.cleat.model.MachinePrint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the marks by which this machine is told from a copy of its data directory. What cannot be read is left out: a
 * container may hide the board, and a file system in memory has no disk.
 *
 * <p>Device numbers are no mark: the kernel gives them anew at each boot. So the file system's own id stands for the
 * device, where udev knows it.
 */
public final class MachineMarks {
    private static final int DIGEST_CHARS = 32;

    /** Below a disk in sysfs: virtio, NVMe and SCSI keep it in different places. */
    private static final List<String> SERIALS = List.of("serial", "device/serial", "wwid", "device/wwid");

    private final Path root;
    private final String nodeId;
    private final Map<String, String> marks = new TreeMap<>();

    private MachineMarks(Path root, String nodeId) {
        this.root = root;
        this.nodeId = nodeId;
    }

    /** Those of this machine. */
    public static MachinePrint read(Path dataDirectory, String nodeId) {
        return read(Path.of("/"), dataDirectory, nodeId);
    }

    /**
     * @param root of the machine
     * @param nodeId goes into each digest, so that what was read cannot be looked up by it
     */
    static MachinePrint read(Path root, Path dataDirectory, String nodeId) {
        MachineMarks reading = new MachineMarks(root, nodeId);
        reading.line(root.resolve("etc/machine-id"))
                .filter(id -> !id.equals("uninitialized"))
                .ifPresent(id -> reading.mark(MachinePrint.OS, id));
        reading.line(root.resolve("sys/class/dmi/id/product_uuid"))
                .ifPresent(id -> reading.mark(MachinePrint.BOARD, id));
        reading.directory(dataDirectory);
        return new MachinePrint(reading.marks);
    }

    private void directory(Path dataDirectory) {
        try {
            Map<String, Object> found = Files.readAttributes(dataDirectory, "unix:ino,dev");
            mark(MachinePrint.DIRECTORY, String.valueOf(found.get("ino")));
            if (found.get("dev") instanceof Long device) {
                device(device);
            }
        } catch (IOException | UnsupportedOperationException hidden) {
            // Another mark has to do.
        }
    }

    /** A file system of several disks, or of none, has no device in sysfs. */
    private void device(long number) throws IOException {
        Path entry = root.resolve("sys/dev/block/" + major(number) + ":" + minor(number));
        if (!Files.exists(entry)) {
            return;
        }
        Path device = entry.toRealPath();
        fileSystem(String.valueOf(device.getFileName()));
        Path disk = Files.exists(device.resolve("partition")) ? device.resolve("..") : device;
        for (String serial : SERIALS) {
            Optional<String> found = line(disk.resolve(serial));
            if (found.isPresent()) {
                mark(MachinePrint.DISK, found.get());
                return;
            }
        }
    }

    private void fileSystem(String device) throws IOException {
        Path byId = root.resolve("dev/disk/by-uuid");
        if (!Files.isDirectory(byId)) {
            return;
        }
        try (DirectoryStream<Path> links = Files.newDirectoryStream(byId)) {
            for (Path link : links) {
                if (Files.exists(link) && link.toRealPath().endsWith(device)) {
                    mark(MachinePrint.FILE_SYSTEM, String.valueOf(link.getFileName()));
                }
            }
        }
    }

    /** As {@code gnu_dev_major(3)} takes it from a device number of 64 bits. */
    static long major(long device) {
        return (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
    }

    static long minor(long device) {
        return (device & 0xff) | (device >>> 12 & 0xffffff00L);
    }

    private Optional<String> line(Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
        } catch (IOException hidden) {
            return Optional.empty();
        }
    }

    private void mark(String name, String value) {
        MessageDigest digest = Sha256.begin();
        for (String part : List.of("cleat machine", nodeId, name, value)) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        marks.put(name, HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_CHARS));
    }
}
