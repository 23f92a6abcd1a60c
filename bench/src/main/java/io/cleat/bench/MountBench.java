package io.cleat.bench;

import io.cleat.base.Secrets;
import io.cleat.base.Threads;
import io.cleat.model.DesiredStatus;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.testkit.BindMountEffects;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.wire.InProcessLink;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * From a server's word that an allocation is to run to the node's word that its volume is published, less the time that
 * the plugin took to mount: a real node, real mounts.
 */
final class MountBench implements Bench {
    private static final double BUDGET = 0.025;

    private final Threads threads = Threads.virtual(OwnProcess::endBy);

    @Override
    public String name() {
        return "mount";
    }

    @Override
    public String about() {
        return "our share from assignment to published volume, 1 and 32 side by side";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("assignment to published", "reason: needs root"));
        }
        Path socket = scratch.resolve("s");
        TimedEffects effects = new TimedEffects(new BindMountEffects(scratch.resolve("pool")));
        PlayedServer server = new PlayedServer();
        try (FakeCsiPlugin plugin =
                        FakeCsiPlugin.start(socket, FakeCsiSetup.standard().withEffects(effects));
                BenchNode node = new BenchNode(
                        Files.createDirectory(scratch.resolve("n")),
                        socket,
                        InProcessLink.to(server, threads),
                        threads)) {
            node.connect();
            Turns turns = new Turns(plugin, effects, server, node);
            turns.run(1, 30);
            FilesByHand hand = new FilesByHand(Files.createDirectory(scratch.resolve("hand")), threads);
            hand.run(1, 30);
            return List.of(inTurns(turns, hand, 1, 120), inTurns(turns, hand, 32, 12));
        }
    }

    /** In two halves, since making files may cost more the more were made and removed. */
    private static BenchRow inTurns(Turns turns, FilesByHand hand, int sideBySide, int count) throws Exception {
        Samples times = new Samples();
        Samples byHand = new Samples();
        for (int half = 0; half < 2; half++) {
            times.addAll(turns.run(sideBySide, count / 2));
            byHand.addAll(hand.run(sideBySide, count / 2));
        }
        return row(sideBySide == 1 ? "1" : sideBySide + " side by side", times, byHand);
    }

    private static BenchRow row(String how, Samples times, Samples byHand) {
        return BenchRow.of("assignment to published, " + how + ", p99", times.seconds(99), Unit.SECONDS)
                .limit("its files by hand", byHand.seconds(99))
                .budget("25 ms", times.seconds(99) <= BUDGET)
                .detail("without the plugin's time; p50 " + Unit.SECONDS.text(times.median()) + ", n=" + times.count());
    }

    /** Allocations that come and go. */
    private static final class Turns {
        private final FakeCsiPlugin plugin;
        private final TimedEffects effects;
        private final PlayedServer server;
        private final BenchNode node;
        private int count;

        Turns(FakeCsiPlugin plugin, TimedEffects effects, PlayedServer server, BenchNode node) {
            this.plugin = plugin;
            this.effects = effects;
            this.server = server;
            this.node = node;
        }

        Samples run(int sideBySide, int turns) throws Exception {
            Samples times = new Samples();
            for (int i = 0; i < turns; i++) {
                List<String> names = new ArrayList<>();
                for (int j = 0; j < sideBySide; j++) {
                    names.add("a" + count++);
                }
                names.forEach(name -> plugin.addVolume(external(name), 1 << 20));
                long begin = server.assign(all(names, DesiredStatus.RUN));
                for (String name : names) {
                    long nanos = server.await(name, VolumePhase.PUBLISHED) - begin;
                    times.add(nanos - effects.nanos(external(name)));
                }
                server.assign(all(names, DesiredStatus.STOP));
                for (String name : names) {
                    server.await(name, VolumePhase.UNPUBLISHED);
                }
                server.assign(List.of());
                // Else the removal of its files would be measured with the next turn.
                Until.soon(
                        "the allocations are removed", () -> node.allocations().isEmpty());
                plugin.clearCalls();
            }
            return times;
        }

        private static String external(String name) {
            return "external-" + name;
        }

        private static List<ToNode.Assignment> all(List<String> names, DesiredStatus desired) {
            return names.stream().map(name -> assignment(name, desired)).toList();
        }

        private static ToNode.Assignment assignment(String name, DesiredStatus desired) {
            return new ToNode.Assignment(
                    name,
                    name + ".group[0]",
                    0,
                    "evaluation",
                    ModelSpecs.job(name, List.of(name)),
                    1,
                    "group",
                    desired,
                    Map.of(
                            name,
                            new ToNode.AssignedVolume(
                                    new VolumeId("default", name),
                                    ModelSpecs.PLUGIN,
                                    external(name),
                                    false,
                                    ModelSpecs.MODES,
                                    MountOptions.NONE,
                                    Map.of(),
                                    new ToNode.Grant(1, Secrets.none(), Secrets.none(), 0, false),
                                    null)),
                    false,
                    null);
        }
    }
}
