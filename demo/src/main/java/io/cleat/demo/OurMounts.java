package io.cleat.demo;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the kernel says of mounts, and of the files behind loop devices. */
final class OurMounts {
    private static final Path BLOCK = Path.of("/sys/block");

    private OurMounts() {}

    /** The mounts at or below {@code path}, from two equal readings. */
    static List<Mount> below(Path path) throws CheckFailed {
        try {
            return MountTable.readTwice().atOrBelow(path);
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen("the mount table", unreadable);
        }
    }

    /** The file behind each loop device that has one, by the device's name such as {@code loop0}. */
    static Map<String, String> loops() throws CheckFailed {
        Map<String, String> files = new TreeMap<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(BLOCK, "loop*")) {
            for (Path device : devices) {
                readBacking(device, files);
            }
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the loop devices in " + BLOCK, unreadable);
        }
        return files;
    }

    private static void readBacking(Path device, Map<String, String> files) throws IOException {
        try {
            String file = Files.readString(device.resolve("loop/backing_file")).strip();
            files.put(device.getFileName().toString(), file);
        } catch (IOException detached) {
            // A device without a file has no such entry, or has lost it at this moment.
            if (Files.exists(device.resolve("loop"))) {
                throw detached;
            }
        }
    }
}
