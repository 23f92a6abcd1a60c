package io.cleat.demo;

import io.cleat.api.CsiSnapshot;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import io.cleat.base.Secrets;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A snapshot and copies are made of a volume that is written to; each goes its own way. */
final class CopyVolume {
    static final String COPY = "copy";

    /** What the copy's job puts before its numbers. */
    private static final String MARK = "copy ";

    private static final String EXAMPLE = "counter-copy";
    private static final String RESTORED = "counter-restored";
    private static final String SNAPSHOT = "while-it-counts";

    private final DemoContext context;
    private final Traces traces;
    private final StartPlugin.Seen plugin;
    private final MakeVolumes.Made volumes;
    private final Workload writer;

    /** @param writer what counts in the volume */
    CopyVolume(DemoContext context, Traces traces, StartPlugin.Seen plugin, MakeVolumes.Made volumes, Workload writer) {
        this.context = context;
        this.traces = traces;
        this.plugin = plugin;
        this.volumes = volumes;
        this.writer = writer;
    }

    /** Returns the workload on the copy. */
    Workload play() throws CheckFailed, InterruptedException {
        context.tell().step("A snapshot and a clone are made of the volume while the job counts in it");
        CsiSnapshot snapshot = snapshot();
        restore(snapshot);
        Workload copy = copy();
        goOwnWays(copy);
        context.command("volume", "snapshot", "delete", StartPlugin.ID, snapshot.ID());
        CheckFailed.unless(snapshots().isEmpty(), "the plugin's snapshots", "none", snapshots());
        copy.isUntouched();
        writer.isUntouched();
        context.tell().verified("snapshot", "deleted; what was made from the volume stays");
        return copy;
    }

    private CsiSnapshot snapshot() throws CheckFailed {
        CommandOutput made = context.command("volume", "snapshot", "create", MakeVolumes.COUNTER, SNAPSHOT);
        context.tell().quote(made.command(), made.lines());
        List<CsiSnapshot> all = snapshots();
        CheckFailed.unless(all.size() == 1 && all.getFirst().IsReady(), "the plugin's snapshots", "one, ready", all);
        plugin.calls().exactly(1, "CreateSnapshot", volumes.counter());
        context.tell()
                .verified(
                        "snapshot", Cluster.brief(all.getFirst().ID()) + ", ready; the job goes on counting meanwhile");
        return all.getFirst();
    }

    private List<CsiSnapshot> snapshots() throws CheckFailed {
        CsiSnapshotResponse answer = context.cluster()
                .ask(
                        "the plugin's snapshots",
                        c -> c.volumes()
                                .snapshots(StartPlugin.ID, Secrets.none(), Params.none())
                                .body());
        List<CsiSnapshot> all = answer.Snapshots();
        return all == null ? List.of() : all;
    }

    private void restore(CsiSnapshot snapshot) throws CheckFailed {
        CsiVolume restored =
                context.make(EXAMPLE, Variables.none().withFlag("id", RESTORED).withFlag("snapshot", snapshot.ID()));
        traces.volume(RESTORED, restored.ExternalID());
        Path source = plugin.pool().resolve("snapshots").resolve(snapshot.ID()).resolve("image");
        Path image = plugin.image(restored);
        try {
            long differs = Files.mismatch(source, image);
            CheckFailed.unless(differs < 0, image.toString(), "the snapshot's bytes", "byte " + differs);
            context.tell()
                    .verified(
                            "volume " + RESTORED,
                            "made from it: all " + (Files.size(image) >> 20) + " MiB compared, byte for byte the same");
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(image.toString(), unreadable);
        }
    }

    private Workload copy() throws CheckFailed, InterruptedException {
        long before = writer.numbers(DemoContext.NUMBERS).last();
        CsiVolume clone = context.make(EXAMPLE, Variables.none().withFlag("clone", volumes.counter()));
        long after = writer.numbers(DemoContext.NUMBERS).last();
        traces.volume(EXAMPLE, clone.ExternalID());
        Workload copy = context.run(COPY, UseVolumes.COUNTER_TASK, Variables.none());
        traces.job(COPY);
        context.polling().until("the copy's job writes", () -> copiedTo(copy));
        long last = copiedTo(copy);
        CheckFailed.unless(
                before <= last && last <= after,
                copy.data().resolve(DemoContext.NUMBERS).toString(),
                "what the volume had between " + before + " and " + after,
                "up to " + last);
        context.tell()
                .verified(
                        "volume " + EXAMPLE,
                        "cloned from the volume itself: its file is the volume's, byte for byte, up to " + last);
        return copy;
    }

    /** The last number of before the copy; fails unless the bytes until there are the source's. */
    private long copiedTo(Workload copy) throws CheckFailed {
        byte[] copied = bytes(copy);
        byte[] source = bytes(writer);
        String text = new String(copied, StandardCharsets.US_ASCII);
        int length = text.indexOf(MARK);
        CheckFailed.unless(
                length > 0,
                copy.data().resolve(DemoContext.NUMBERS).toString(),
                "numbers of before, then new ones",
                text);
        CheckFailed.unless(
                length <= source.length && Arrays.equals(copied, 0, length, source, 0, length),
                copy.data().resolve(DemoContext.NUMBERS).toString(),
                "at first the volume's own bytes",
                text);
        return Numbers.in("the copy", text.substring(0, length)).last();
    }

    private void goOwnWays(Workload copy) throws CheckFailed, InterruptedException {
        long one = writer.numbers(DemoContext.NUMBERS).last() + 2;
        long other = copy.numbers(DemoContext.NUMBERS).last() + 2;
        Numbers source = context.polling().until("the job counts on", () -> writer.reaching(DemoContext.NUMBERS, one));
        Numbers copied = context.polling().until("the copy counts on", () -> copy.reaching(DemoContext.NUMBERS, other));
        source.unbroken("the volume's file", 1, one);
        copied.unbroken("the copy's file", 1, other);
        String text = new String(bytes(writer), StandardCharsets.US_ASCII);
        CheckFailed.unless(!text.contains(MARK), "the volume's file", "nothing of the copy", text);
        context.tell()
                .verified(
                        "independent",
                        "the volume is at "
                                + source.last()
                                + ", the copy at "
                                + copied.last()
                                + "; neither has what the other wrote");
    }

    private static byte[] bytes(Workload workload) throws CheckFailed {
        Path file = workload.data().resolve(DemoContext.NUMBERS);
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(file.toString(), unreadable);
        }
    }
}
