package io.cleat.demo;

import io.cleat.api.CsiVolume;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A volume grows while a workload writes into it. */
final class GrowVolume {
    static final String WRITER = "writer";
    static final String WRITER_TASK = "write";
    private static final String VOLUME = "growing-data";
    private static final List<Path> MAKERS = List.of(Path.of("/usr/sbin/mkfs.xfs"), Path.of("/sbin/mkfs.xfs"));
    private static final int CAP_SYS_RESOURCE = 24;
    private static final long MIB = 1L << 20;
    private static final long LARGE = 640;

    /** What a file system keeps for itself of 640 MiB is less than this. */
    private static final long LEAST_SEEN = 500;

    private final DemoContext context;
    private final Traces traces;
    private final StartPlugin.Seen plugin;

    GrowVolume(DemoContext context, Traces traces, StartPlugin.Seen plugin) {
        this.context = context;
        this.traces = traces;
        this.plugin = plugin;
    }

    /** Returns the workload, which goes on writing. */
    Workload play() throws CheckFailed, InterruptedException {
        boolean hasXfs = MAKERS.stream().anyMatch(Files::isExecutable);
        boolean online = hasXfs || mayGrowExt4();
        String type = hasXfs ? "xfs" : "ext4";
        context.tell()
                .step(
                        online
                                ? "A volume grows while a job writes into it without a pause"
                                : "A volume grows before a job writes into it");
        if (!hasXfs) {
            context.tell()
                    .say("     mkfs.xfs is not installed (apt-get install xfsprogs): it is an ext4"
                            + (online
                                    ? ""
                                    : ", which grows while it is mounted only with CAP_SYS_RESOURCE, which is "
                                            + "absent here"));
        }
        Variables small = Variables.none().withFlag("type", type);
        CsiVolume volume = context.make(VOLUME, small);
        traces.volume(VOLUME, volume.ExternalID());
        long capacity = volume.Capacity();
        if (!online) {
            grow(small, volume);
        }
        Workload writer = context.run(WRITER, WRITER_TASK, Variables.none());
        traces.job(WRITER);
        long before = size(writer);
        CheckFailed.unless(
                writer.mount().fsType().equals(type),
                "the mount",
                type,
                writer.mount().fsType());
        context.polling().until("it writes", () -> writer.reaching(DemoContext.NUMBERS, 5));
        context.tell()
                .verified(
                        WRITER + " writes", type + " on " + writer.mount().source() + ", of " + before / MIB + " MiB");
        if (online) {
            long from = writer.numbers(DemoContext.NUMBERS).last();
            grow(small, volume);
            context.polling().until("the file system has grown", () -> isLarge(writer));
            undisturbed(writer, from);
        } else {
            isLarge(writer);
        }
        context.tell()
                .verified(
                        "volume " + VOLUME,
                        capacity / MIB
                                + " MiB became "
                                + LARGE
                                + " MiB; the workload sees "
                                + size(writer) / MIB
                                + " MiB");
        plugin.calls().exactly(1, "ControllerExpandVolume", volume.ExternalID());
        plugin.calls().exactly(online ? 1 : 0, "NodeExpandVolume", volume.ExternalID());
        plugin.calls().exactly(1, "NodeStageVolume", volume.ExternalID());
        context.tell()
                .verified(
                        "call log",
                        online
                                ? "expanded once by the controller, once by the node; never unmounted"
                                : "expanded once by the controller, staged once");
        return writer;
    }

    private void grow(Variables small, CsiVolume volume) throws CheckFailed {
        CsiVolume large = context.make(VOLUME, small.withFlag("capacity", LARGE + "MiB"));
        CheckFailed.unless(
                large.Capacity() == LARGE * MIB && large.ExternalID().equals(volume.ExternalID()),
                "volume " + VOLUME,
                LARGE + " MiB, the same volume as before",
                large.Capacity() + " bytes, " + large.ExternalID());
    }

    private boolean isLarge(Workload writer) throws CheckFailed {
        long size = size(writer);
        CheckFailed.unless(
                size >= LEAST_SEEN * MIB,
                "the size of " + writer.data(),
                "nearly " + LARGE + " MiB",
                size / MIB + " MiB");
        return true;
    }

    private void undisturbed(Workload writer, long from) throws CheckFailed, InterruptedException {
        long next = writer.numbers(DemoContext.NUMBERS).last() + 3;
        context.polling().until("it goes on writing", () -> writer.reaching(DemoContext.NUMBERS, next));
        writer.isUntouched();
        context.tell().verified("its writes", WriteTimes.of(writer).told(from));
    }

    private long size(Workload writer) throws CheckFailed {
        // The same file system; Java asks for the size of one only by a mount that it has itself.
        Path mounted = OurMounts.below(context.workplace().root()).stream()
                .filter(mount -> mount.device().equals(writer.mount().device()))
                .findFirst()
                .map(mount -> Path.of(mount.target()))
                .orElse(writer.data());
        try {
            return Files.getFileStore(mounted).getTotalSpace();
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the size of " + writer.data(), unreadable);
        }
    }

    /** Whether a mounted ext4 can be grown (ext4 asks for CAP_SYS_RESOURCE). */
    private static boolean mayGrowExt4() throws CheckFailed {
        Path status = Path.of("/proc/self/status");
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("CapEff:")) {
                    long set = Long.parseUnsignedLong(line.substring(7).strip(), 16);
                    return (set >> CAP_SYS_RESOURCE & 1) == 1;
                }
            }
            return false;
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(status.toString(), unreadable);
        }
    }
}
