package io.cleat.demo;

import io.cleat.api.CsiVolume;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Step 3: two volumes are made. */
final class MakeVolumes {
    static final String COUNTER = "counter-data";
    static final String SHARED = "shared-data";
    private static final long SIZE = 64L << 20;

    /** Where an ext4 superblock has its magic number, and the number (ext4(5)). */
    private static final long MAGIC_AT = 1024 + 0x38;

    private static final int MAGIC = 0xEF53;

    private final DemoContext context;
    private final StartPlugin.Seen plugin;

    /**
     * The volumes, by the plugin's own ids.
     *
     * @param image the file that holds the ext4 volume
     */
    record Made(String counter, Path image, String shared) {}

    MakeVolumes(DemoContext context, StartPlugin.Seen plugin) {
        this.context = context;
        this.plugin = plugin;
    }

    Made play() throws CheckFailed {
        context.tell().step("The plugin makes a 64 MiB ext4 volume and a directory volume");
        CsiVolume counter = context.make(COUNTER, Variables.none());
        Path image = plugin.image(counter);
        isExt4(image);
        CheckFailed.unless(counter.Capacity() == SIZE, "volume " + COUNTER, SIZE + " bytes", counter.Capacity());
        context.tell().verified("volume " + COUNTER, told(counter) + ", an ext4 image of 64 MiB");
        CsiVolume shared = context.make(SHARED, Variables.none());
        Path directory =
                plugin.pool().resolve("volumes").resolve(shared.ExternalID()).resolve("data");
        CheckFailed.unless(
                Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS),
                directory.toString(),
                "a directory",
                "there is none");
        context.tell().verified("volume " + SHARED, told(shared) + ", a directory");
        plugin.calls().exactly(1, "CreateVolume", counter.ExternalID());
        plugin.calls().exactly(1, "CreateVolume", shared.ExternalID());
        context.tell().verified("call log", "CreateVolume once for each");
        return new Made(counter.ExternalID(), image, shared.ExternalID());
    }

    private static String told(CsiVolume volume) {
        return volume.Provider() + " calls it " + Cluster.brief(volume.ExternalID());
    }

    private static void isExt4(Path image) throws CheckFailed {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "r")) {
            CheckFailed.unless(file.length() == SIZE, image.toString(), SIZE + " bytes", file.length());
            file.seek(MAGIC_AT);
            int magic = file.read() | file.read() << 8;
            CheckFailed.unless(
                    magic == MAGIC,
                    image.toString(),
                    "an ext4 file system",
                    "magic number " + Integer.toHexString(magic));
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(image.toString(), unreadable);
        }
    }
}
