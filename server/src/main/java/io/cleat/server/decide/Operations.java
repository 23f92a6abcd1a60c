package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeId;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Controller calls as rows. */
final class Operations {
    private Operations() {}

    /** The first wait between two tries, and the longest. */
    static final Duration FIRST_WAIT = Duration.ofSeconds(1);

    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /** What is under way for a volume; calls about one volume are made one after the other. */
    static Optional<OperationRow> inFlight(ClusterState state, VolumeId volume) {
        return state.operations().of(volume).stream()
                .filter(row -> !row.isDone())
                .findFirst();
    }

    /** That another call is under way. */
    static Refusal busy(OperationRow other, VolumeId volume, Instant now) {
        return busy(other, Words.volume(volume), now);
    }

    /** @param subject what both are about */
    static Refusal busy(OperationRow other, String subject, Instant now) {
        return new Refusal.Conflict(
                subject + " is busy: " + Words.operation(other, now) + " is not settled; try again once it is");
    }

    /** Writes a call down. It is sent after that. */
    static void log(Work work, String id, String pluginId, PluginHealth.Seen instance, OperationCall call) {
        work.add(new Change.OperationPut(new OperationRow(
                id,
                pluginId,
                instance.node().id(),
                instance.instance().allocId(),
                0,
                call,
                OperationState.LOGGED,
                false,
                null,
                0,
                null,
                work.now(),
                new BlockedBy(
                        "call",
                        "plugin " + pluginId + " on node " + instance.node().name(),
                        work.now(),
                        null,
                        "it is sent to the plugin when its turn comes"),
                OperationPast.NONE,
                0,
                0)));
    }

    /** Grows with the tries: 1 s, 2 s, 4 s, at most 1 min. */
    static Duration waitAfter(int tries) {
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.clamp(tries - 1, 0, 10));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** Whether the call makes nothing, so that repeating or dropping it is harmless. */
    static boolean isQuestion(OperationCall call) {
        return switch (call) {
            case OperationCall.Validate _ -> true;
            case OperationCall.Create _,
                    OperationCall.Delete _,
                    OperationCall.Expand _,
                    OperationCall.CreateSnapshot _,
                    OperationCall.DeleteSnapshot _,
                    OperationCall.Publish _,
                    OperationCall.Unpublish _ -> false;
        };
    }

    /**
     * Writes a call down that a user asked for, or says why no controller can make it.
     *
     * @param id a fresh one, of the operation
     * @param capability that the controller has to announce
     * @param doing such as {@code creating volumes}, for the refusal
     */
    static Decision<Change, VolumeReply> start(
            Work work, String id, String pluginId, ControllerCapability capability, String doing, OperationCall call) {
        PluginHealth plugin = PluginHealth.of(work.state(), pluginId);
        Optional<PluginHealth.Seen> instance = plugin.controller();
        if (instance.isEmpty() || !plugin.can(capability)) {
            return Work.refuse(unable(plugin, doing));
        }
        log(work, id, pluginId, instance.get(), call);
        return work.accept(new VolumeReply.Started(id));
    }

    /** Why a plugin does not do what was asked: nobody is there to ask, or it says that it cannot. */
    static Refusal unable(PluginHealth plugin, String doing) {
        if (plugin.controller().isPresent()) {
            return new Refusal.Conflict("plugin does not support " + doing);
        }
        return plugin.isPresent() && !plugin.isControllerRequired()
                ? new Refusal.Conflict("plugin has no controller")
                : noController(plugin);
    }

    static Refusal noController(PluginHealth plugin) {
        return new Refusal.Conflict(
                plugin.isPresent()
                        ? "no healthy controllers for CSI plugin: " + plugin.pluginId()
                        : "failed to find instances of controller plugin \"" + plugin.pluginId() + "\"");
    }
}
