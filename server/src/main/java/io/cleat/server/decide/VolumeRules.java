package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.VisibleText;
import io.cleat.model.AccessMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeCapability;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What volumes may be registered, and what of a registered one may change. */
final class VolumeRules {
    private VolumeRules() {}

    static Optional<Refusal> pluginMissing(ClusterState state, String pluginId) {
        return state.plugin(pluginId).isPresent()
                ? Optional.empty()
                : Optional.of(new Refusal.NotFound(
                        "no CSI plugin named: " + VisibleText.cut(pluginId, 64) + " could be found"));
    }

    /**
     * Why a plugin is not asked for several writers on one node: it would not know the mode (CSI specification,
     * SINGLE_NODE_MULTI_WRITER).
     */
    static Optional<Refusal> unknownMode(ClusterState state, VolumeSpec spec) {
        boolean isAsked =
                spec.capabilities().stream().anyMatch(each -> each.access() == AccessMode.SINGLE_NODE_MULTI_WRITER);
        PluginHealth plugin = PluginHealth.of(state, spec.pluginId());
        if (!isAsked
                || plugin.can(ControllerCapability.SINGLE_NODE_MULTI_WRITER)
                || plugin.can(NodeCapability.SINGLE_NODE_MULTI_WRITER)) {
            return Optional.empty();
        }
        return Optional.of(new Refusal.Conflict("plugin "
                + spec.pluginId()
                + " does not support the access mode "
                + AccessMode.SINGLE_NODE_MULTI_WRITER.wire()
                + ": it has no capability SINGLE_NODE_MULTI_WRITER (CSI 1.5)"));
    }

    /** Why a provider's volume cannot be registered under this id too. */
    static Optional<Refusal> excluded(ClusterState state, VolumeSpec spec) {
        if (spec.externalId().isEmpty()) {
            return Optional.empty();
        }
        VolumeKey key = new VolumeKey(spec.pluginId(), spec.externalId());
        return state.volumesWithKey(key).stream()
                .filter(other -> !other.id().equals(spec.id()))
                .filter(other -> isExclusive(spec) || isExclusive(other.spec()))
                .findFirst()
                .map(other -> new Refusal.Conflict("plugin "
                        + key.pluginId()
                        + "'s volume "
                        + key.externalId()
                        + " is already registered as "
                        + Words.volume(other.id())
                        + "; a second registration of one volume is allowed"
                        + " only where all capabilities of both are"
                        + " multi-node without a single writer"));
    }

    private static boolean isExclusive(VolumeSpec spec) {
        return spec.capabilities().stream()
                .anyMatch(
                        modes -> modes.access().isSingleNode() || modes.access().isSingleWriter());
    }

    /** The registered volume as the new text wants it, or all that stands against it. */
    sealed interface Update {
        /** @param grows whether its plugin has to expand it */
        record Merged(VolumeSpec spec, boolean grows) implements Update {}

        record Faulty(Refusal refusal) implements Update {}
    }

    /**
     * Has the plugin expand a volume, which is changed as a whole once it has.
     *
     * @param id a fresh one, of the operation
     */
    static Decision<Change, VolumeReply> expand(
            Work work, VolumeRow old, VolumeSpec merged, Encrypted secrets, String id) {
        if (!merged.capabilities().equals(old.spec().capabilities())) {
            return Work.refuse(
                    new Refusal.Conflict("unable to update volume: change capacity and capabilities one after the"
                            + " other: of both at once one may be refused with the other"
                            + " done"));
        }
        return Operations.start(
                work,
                id,
                merged.pluginId(),
                ControllerCapability.EXPAND_VOLUME,
                "expanding volumes",
                new OperationCall.Expand(
                        merged,
                        secrets,
                        work.state().claims().currentModes(old.key()).orElse(null)));
    }

    static Update update(ClusterState state, VolumeRow old, VolumeSpec wanted) {
        VolumeSpec was = old.spec();
        List<String> faults = new ArrayList<>();
        same(faults, "name", was.name(), wanted.name());
        same(faults, "external ID", was.externalId(), wanted.externalId());
        same(faults, "clone ID", was.cloneId(), wanted.cloneId());
        same(faults, "snapshot ID", was.snapshotId(), wanted.snapshotId());
        if (!was.pluginId().equals(wanted.pluginId())) {
            faults.add("volume plugin ID cannot be updated");
        }
        if (!wanted.parameters().isEmpty() && !wanted.parameters().equals(was.parameters())) {
            faults.add("volume parameters cannot be updated");
        }
        Optional<VolumeModes> current = state.claims().currentModes(old.key());
        if (current.isPresent() && !wanted.capabilities().contains(current.get())) {
            faults.add("volume requested capabilities update was not compatible with existing capability in use");
        }
        if (!old.topologies().isEmpty()
                && !wanted.topologies().equals(TopologyRequest.NONE)
                && !wanted.topologies().equals(was.topologies())) {
            faults.add("volume topology request update was not compatible with existing topology");
        }
        if (current.isPresent() && !wanted.mountOptions().equals(was.mountOptions())) {
            faults.add("can not update mount options while volume is in use");
        }
        capacity(state, old, wanted).ifPresent(faults::add);
        if (!faults.isEmpty()) {
            return new Update.Faulty(new Refusal.Conflict("unable to update volume: " + several(faults)));
        }
        boolean resized = wanted.capacityMin() != 0 || wanted.capacityMax() != 0;
        return new Update.Merged(
                new VolumeSpec(
                        was.id(),
                        was.name(),
                        was.externalId(),
                        was.pluginId(),
                        wanted.capabilities(),
                        wanted.mountOptions(),
                        resized ? wanted.capacityMin() : was.capacityMin(),
                        resized ? wanted.capacityMax() : was.capacityMax(),
                        was.parameters(),
                        wanted.context().isEmpty() ? was.context() : wanted.context(),
                        was.topologies(),
                        was.snapshotId(),
                        was.cloneId()),
                wanted.capacityMin() > old.capacity());
    }

    private static void same(List<String> faults, String what, String was, String wanted) {
        if (!wanted.isEmpty() && !wanted.equals(was)) {
            faults.add("volume " + what + " cannot be updated");
        }
    }

    private static Optional<String> capacity(ClusterState state, VolumeRow old, VolumeSpec wanted) {
        long min = wanted.capacityMin();
        long max = wanted.capacityMax();
        boolean asked = (min != 0 || max != 0)
                && (min != old.spec().capacityMin() || max != old.spec().capacityMax());
        if (!asked) {
            return Optional.empty();
        }
        if (max != 0 && max < min) {
            return Optional.of("unable to expand volume: max requested capacity ("
                    + size(max)
                    + ") less than or equal to min ("
                    + size(min)
                    + ")");
        }
        if (max != 0 && max < old.capacity()) {
            return Optional.of("unable to expand volume: max requested capacity ("
                    + size(max)
                    + ") less than or equal to current ("
                    + size(old.capacity())
                    + ")");
        }
        if (min <= old.capacity()) {
            return Optional.empty();
        }
        PluginHealth plugin = PluginHealth.of(state, old.spec().pluginId());
        if (!plugin.can(ControllerCapability.EXPAND_VOLUME)) {
            return Optional.of(
                    plugin.controller().isPresent()
                            ? "unable to expand volume: expand is not implemented by this controller plugin"
                            : "unable to expand volume: "
                                    + Operations.unable(plugin, "expanding volumes")
                                            .message());
        }
        boolean isUsed = !Claims.holders(state, old.key()).isEmpty();
        return plugin.expandsOffline() && isUsed
                ? Optional.of("unable to expand volume: this plugin expands a volume only while nothing"
                        + " uses it; stop what does first: volume why "
                        + old.id().id())
                : Optional.empty();
    }

    /** In the decimal units that people compare sizes by, such as {@code 67 MB}. */
    private static String size(long bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    }

    private static String several(List<String> faults) {
        StringBuilder text =
                new StringBuilder(faults.size() == 1 ? "1 error occurred:\n" : faults.size() + " errors occurred:\n");
        faults.forEach(fault -> text.append("\t* ").append(fault).append('\n'));
        return text.append('\n').toString();
    }

    /** That somebody uses the volume: who, how, for how long. */
    static Refusal inUse(ClusterState state, VolumeId id, List<ClaimRow> holders, Instant now) {
        List<String> users = new ArrayList<>();
        for (ClaimRow claim : holders) {
            users.add(Words.claim(state, claim, now));
        }
        return new Refusal.Conflict("volume in use: "
                + id.id()
                + ": "
                + Words.volume(id)
                + " is held by "
                + Words.few(users)
                + ". Stop these first; volume why "
                + id.id()
                + " shows how far they are");
    }
}
