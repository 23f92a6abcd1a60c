package io.cleat.demo;

import io.cleat.api.CsiVolume;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** A job writes into a raw block device. */
final class UseBlock {
    private static final String NAME = "raw-disk";
    private static final String TASK = "count";
    private static final String PATH = "CLEAT_VOLUME_disk";
    private static final int FIELD = 16;
    private static final int TYPE = 0170000;
    private static final int BLOCK = 0060000;
    private static final int LOOP = 7;

    private final DemoContext context;
    private final Traces traces;
    private final StartPlugin.Seen plugin;

    /**
     * What works on the device.
     *
     * @param device as the task sees it, looked at through the task's process
     * @param image the file that the device is made of
     */
    record Working(String allocId, Path device, Path image) {
        /** The number at the beginning of the device, once it has reached {@code least}. */
        long reaching(long least) throws CheckFailed {
            long number = number(image);
            CheckFailed.unless(
                    number >= least, "the number in " + image, "it counts to " + least, "it is at " + number);
            return number;
        }
    }

    UseBlock(DemoContext context, Traces traces, StartPlugin.Seen plugin) {
        this.context = context;
        this.traces = traces;
        this.plugin = plugin;
    }

    Working play() throws CheckFailed, InterruptedException {
        context.tell().step("A job writes into a raw block device, without a file system");
        CsiVolume volume = context.make(NAME, Variables.none());
        traces.volume(NAME, volume.ExternalID());
        context.cluster().register(context.job(NAME, Variables.none()));
        traces.job(NAME);
        Working working = look(plugin.image(volume));
        isTheDevice(working);
        long number = context.polling().until("it counts", () -> working.reaching(3));
        context.tell()
                .verified("it counts", "the file behind the device begins with " + number + ", and no file system");
        plugin.calls().exactly(1, "NodeStageVolume", volume.ExternalID());
        plugin.calls().exactly(1, "NodePublishVolume", volume.ExternalID());
        context.tell().verified("call log", NAME + ": staged and published once, as a device");
        return working;
    }

    /** The job runs again after the node was emptied, and goes on where it was. */
    void goesOn(Working before, long last) throws CheckFailed, InterruptedException {
        Working working = look(before.image());
        traces.add(List.of(working.allocId()));
        isTheDevice(working);
        long number = context.polling().until("it counts on", () -> working.reaching(last + 2));
        context.tell()
                .verified(
                        "job " + NAME,
                        "came back as "
                                + Cluster.brief(working.allocId())
                                + ", it counted on from "
                                + last
                                + " to "
                                + number);
    }

    /** Waits for the job to run. A driver may bind the device, or make it anew in a container. */
    private Working look(Path image) throws CheckFailed, InterruptedException {
        String allocId = context.allocation(NAME);
        OurProcess process = OurProcess.ofTask(allocId, TASK);
        return new Working(allocId, process.seen(process.variable(PATH)), image);
    }

    /** What the task sees is a loop device over the volume's image. */
    private void isTheDevice(Working working) throws CheckFailed {
        Path path = working.device();
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            long device = ((Number) Files.getAttribute(path, "unix:rdev")).longValue();
            long major = (device >> 8) & 0xfff;
            String loop = "loop" + ((device & 0xff) | ((device >> 12) & 0xfff00));
            CheckFailed.unless(
                    (mode & TYPE) == BLOCK && major == LOOP,
                    path.toString(),
                    "a loop device",
                    "mode " + Integer.toOctalString(mode) + ", major number " + major);
            String file = OurMounts.loops().getOrDefault(loop, "no file");
            CheckFailed.unless(
                    file.equals(working.image().toString()),
                    "the file behind /dev/" + loop,
                    working.image().toString(),
                    file);
            context.tell()
                    .verified(NAME + " runs", "its task has /dev/" + loop + " as a file, made of the volume's image");
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(path.toString(), unreadable);
        }
    }

    private static long number(Path image) throws CheckFailed {
        try (InputStream in = Files.newInputStream(image)) {
            String text = new String(in.readNBytes(FIELD), StandardCharsets.ISO_8859_1);
            String digits = text.replace('\0', ' ').strip();
            return digits.isEmpty() ? 0 : Long.parseLong(digits);
        } catch (NumberFormatException other) {
            throw new CheckFailed("the beginning of " + image, "a number", "something else");
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(image.toString(), unreadable);
        }
    }
}
