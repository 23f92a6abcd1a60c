package io.cleat.agent.volumes;

import io.cleat.agent.report.News;
import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.BootId;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The parts of the agent that mounting works with.
 *
 * @param root the volume root, without links: below it lie all plugins' host roots
 * @param nodeId of this node, for events
 */
public record VolumeParts(
        Path root,
        Journal journal,
        NodePlugins plugins,
        PathsOf paths,
        MountTable.Source mounts,
        BlockDevices devices,
        News news,
        Time time,
        Chance chance,
        BootId boot,
        String nodeId,
        Limits limits,
        JournalPoint.Listener points,
        CallsUnderWay calls) {

    /** Of an agent that has made no call yet. */
    public VolumeParts(
            Path root,
            Journal journal,
            NodePlugins plugins,
            PathsOf paths,
            MountTable.Source mounts,
            BlockDevices devices,
            News news,
            Time time,
            Chance chance,
            BootId boot,
            String nodeId,
            Limits limits,
            JournalPoint.Listener points) {
        this(
                root,
                journal,
                plugins,
                paths,
                mounts,
                devices,
                news,
                time,
                chance,
                boot,
                nodeId,
                limits,
                points,
                new CallsUnderWay(time));
    }

    /** Path calls for one plugin, so that what hangs on its paths delays no other's. */
    @FunctionalInterface
    public interface PathsOf {
        Paths plugin(String pluginId);
    }

    /**
     * How long things take.
     *
     * @param pathCall one call on a path
     * @param pluginCall one call to a plugin with all its tries
     * @param again the waits before something is tried again
     * @param mounting how long it is tried to mount a volume for an allocation, waits between the tries included, while
     *     no try succeeds and none is surely refused
     */
    public record Limits(Duration pathCall, Duration pluginCall, BackOff again, Duration mounting) {
        /** As long as the server waits for an attachment. */
        public static final Duration MOUNTING = Duration.ofMinutes(5);

        /** 10 s; 7 minutes, which three tries of 2 minutes fit in; from 0.5 s to 1 minute; 5 minutes. */
        public static Limits standard() {
            return new Limits(
                    Duration.ofSeconds(10),
                    Duration.ofMinutes(7),
                    new BackOff(Duration.ofMillis(500), Duration.ofMinutes(1)),
                    MOUNTING);
        }

        /** The same, with another bound for mounting. */
        public Limits mountingWithin(Duration bound) {
            return new Limits(pathCall, pluginCall, again, bound);
        }
    }

    /** An outside effect. */
    @FunctionalInterface
    interface Doing<E extends Exception> {
        void run() throws E, InterruptedException;
    }

    /** Does something that has effects outside, between its two points. */
    <E extends Exception> void doing(JournalPoint.Deed deed, Doing<E> what) throws E, InterruptedException {
        points.reached(deed.before());
        what.run();
        points.reached(deed.after());
    }

    /**
     * The instance of a plugin that makes node calls now.
     *
     * @throws StepBlocked while there is none
     */
    NodePlugin plugin(String step, String pluginId) throws StepBlocked {
        return plugins.current(pluginId)
                .orElseThrow(() -> StepBlocked.plugin(step, pluginId, plugins.absence(pluginId)));
    }

    /** Whether who is behind a path answers; false if it surely is gone. */
    boolean answers(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        return paths.plugin(pluginId).answers(Place.of(root, path), forPath());
    }

    Deadline forPath() {
        return Deadline.in(time, limits.pathCall());
    }

    Deadline forPlugin() {
        return Deadline.in(time, limits.pluginCall());
    }
}
