package io.cleat.server.session;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.JobId;
import io.cleat.model.PluginInstance;
import io.cleat.model.ServicePlace;
import io.cleat.model.Task;
import io.cleat.model.VolumeId;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.Registration;
import io.cleat.state.VolumeKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The allocations whose assignment may be another one after a decision: all that {@link AssignmentView} reads of an
 * allocation leads from a change to it here. What is found grows with what the decision changed, not with the cluster;
 * but where a plugin begins or ceases to need attaching, everything is touched.
 */
final class AffectedAllocations {
    private final ClusterState before;
    private final ClusterState after;
    private final Map<String, Set<String>> allocations = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private boolean isAll;
    private boolean areVariables;
    private boolean areServices;

    private AffectedAllocations(ClusterState before, ClusterState after) {
        this.before = before;
        this.after = after;
    }

    static AffectedAllocations by(ClusterState before, Collection<Change> changes, ClusterState after) {
        AffectedAllocations affected = new AffectedAllocations(before, after);
        changes.forEach(affected::look);
        return affected;
    }

    /** Whether those of all nodes may be. */
    boolean isAll() {
        return isAll;
    }

    /** Whether variables have changed, which some tasks read. */
    boolean areVariables() {
        return areVariables;
    }

    /** Whether services may be elsewhere, which some tasks read. */
    boolean areServices() {
        return areServices;
    }

    /** The nodes of which all may be. */
    Set<String> nodes() {
        return nodes;
    }

    /** The ids of the others, by node. */
    Map<String, Set<String>> allocations() {
        return allocations;
    }

    private void look(Change change) {
        switch (change) {
            case Change.NodePut(var row) -> node(row.id());
            case Change.NodeFactsChanged(var facts) -> node(facts.id());
            case Change.NodeStatusChanged status -> node(status.nodeId());
            case Change.NodeRemoved(String id) -> node(id);
            case Change.NodeBuried(String id) -> node(id);
            case Change.JobPut put -> job(put.job().id());
            case Change.JobStopped(var id) -> job(id);
            case Change.JobRemoved(var id) -> job(id);
            case Change.AllocationPut(var row) -> allocation(row.id());
            case Change.AllocationReported reported -> allocation(reported.allocId());
            case Change.AllocationRemoved(String id) -> allocation(id);
            case Change.VolumePut(var row) -> volume(row.id());
            case Change.VolumeRemoved(VolumeId id) -> volume(id);
            case Change.VolumeBuried(VolumeId id) -> volume(id);
            case Change.VolumeTombstoneRemoved(VolumeKey key) -> key(key);
            case Change.ClaimPut(var row) -> claim(row.id());
            case Change.ClaimRemoved(ClaimId id) -> claim(id);
            case Change.AttachmentPut(var row) -> attachment(row.id());
            case Change.AttachmentRemoved(AttachmentId id) -> attachment(id);
            case Change.HoldingPut(var row) -> key(row.id().key());
            case Change.HoldingRemoved(var id) -> key(id.key());
            case Change.VariablePut _, Change.VariableRemoved _ -> areVariables = true;
            // Canaries that are promoted have the tags of the others.
            case Change.DeploymentPut put ->
                areServices |= hasServices(put.deployment().job());
            case Change.ClusterFormed _,
                    Change.NodeEventsAdded _,
                    Change.NodeTombstoneRemoved _,
                    Change.JobLaunched _,
                    Change.JobMarkedStable _,
                    Change.JobTagged _,
                    Change.ScaleEventAdded _,
                    Change.DeploymentRemoved _,
                    Change.EvaluationPut _,
                    Change.EvaluationsMoved _,
                    Change.EvaluationRemoved _,
                    Change.VolumeEventsAdded _,
                    Change.OperationPut _,
                    Change.OperationRemoved _,
                    Change.RequestKept _,
                    Change.RequestExpired _,
                    Change.RemainderPut _,
                    Change.RemainderRemoved _,
                    Change.OtherPastPut _,
                    Change.RecoveryEnded _,
                    Change.NamespacePut _,
                    Change.NamespaceRemoved _,
                    Change.SchedulingPut _,
                    Change.HostVolumePut _,
                    Change.HostVolumeRemoved _,
                    Change.StickyClaimPut _,
                    Change.StickyClaimRemoved _ -> {}
        }
    }

    private void node(String id) {
        Optional<NodeRow> was = before.node(id);
        Optional<NodeRow> is = after.node(id);
        areServices |= !where(was).equals(where(is));
        if (!shown(was).equals(shown(is))) {
            nodes.add(id);
            for (HoldingRow holding : after.holdings().onNode(id)) {
                key(holding.id().key());
            }
        }
        Set<Part> old = parts(was);
        Set<Part> now = parts(is);
        Stream.concat(
                        old.stream().filter(part -> !now.contains(part)),
                        now.stream().filter(part -> !old.contains(part)))
                .map(Part::pluginId)
                .distinct()
                .forEach(this::plugin);
    }

    /** What places of services are made of. */
    private static List<Object> where(Optional<NodeRow> node) {
        return node.map(row -> List.<Object>of(
                        row.facts().network(),
                        row.facts().attributes(),
                        row.facts().meta()))
                .orElse(List.of());
    }

    /** What is said of a node in words. */
    private static List<Object> shown(Optional<NodeRow> node) {
        return node.map(row -> List.<Object>of(row.name(), row.status(), row.statusSince()))
                .orElse(List.of());
    }

    /** What an instance says of whether its plugin's volumes are to be attached. */
    private record Part(String pluginId, boolean requiresController, boolean isController, Set<?> can) {
        static Part of(PluginInstance instance) {
            PluginInstance.Controller controller = instance.controller();
            return new Part(
                    instance.pluginId(),
                    instance.requiresController(),
                    controller != null,
                    controller == null ? Set.of() : controller.capabilities());
        }
    }

    private static Set<Part> parts(Optional<NodeRow> node) {
        Set<Part> parts = new HashSet<>();
        node.ifPresent(row -> row.facts().plugins().forEach(each -> parts.add(Part.of(each))));
        return parts;
    }

    private void job(JobId id) {
        Set<String> plugins = new TreeSet<>();
        Stream.of(before.job(id), after.job(id)).flatMap(Optional::stream).forEach(job -> plugins.addAll(plugins(job)));
        plugins.forEach(this::plugin);
    }

    private static List<String> plugins(JobRow job) {
        return job.spec().groups().stream()
                .flatMap(group -> group.tasks().stream())
                .map(Task::csiPlugin)
                .flatMap(Stream::ofNullable)
                .map(CsiPluginSpec::id)
                .toList();
    }

    private boolean hasServices(JobId job) {
        return after.job(job)
                .filter(row -> row.spec().groups().stream()
                        .anyMatch(group -> !group.allServices().isEmpty()))
                .isPresent();
    }

    private void plugin(String id) {
        if (PluginHealth.of(before, id).attachNeed()
                != PluginHealth.of(after, id).attachNeed()) {
            isAll = true;
        }
    }

    private void allocation(String id) {
        areServices |= !registrations(before, id).equals(registrations(after, id));
        after.allocation(id)
                .or(() -> before.allocation(id))
                .map(AllocationRow::nodeId)
                .ifPresent(nodeId -> touch(nodeId, id));
    }

    private static List<ServicePlace> registrations(ClusterState state, String allocId) {
        return state.allocation(allocId)
                .map(row -> state.registrations().ofAllocation(row).stream()
                        .map(Registration::place)
                        .toList())
                .orElse(List.of());
    }

    private void volume(VolumeId id) {
        after.claims().ofVolume(id).forEach(this::touch);
    }

    private void claim(ClaimId id) {
        Stream.of(before.claims().get(id), after.claims().get(id))
                .flatMap(Optional::stream)
                .forEach(this::claim);
    }

    /** Others are told of what it uses: an attachment on its node, or what a node holds. */
    private void claim(ClaimRow claim) {
        touch(claim);
        if (!after.holdings().of(claim.key()).isEmpty()) {
            key(claim.key());
        } else if (after.attachments()
                .get(new AttachmentId(claim.key(), claim.nodeId()))
                .isPresent()) {
            onNode(claim.key(), claim.nodeId());
        }
    }

    private void attachment(AttachmentId id) {
        onNode(id.key(), id.nodeId());
        String plugin = id.key().pluginId();
        if (before.attachments().hasAny(plugin) != after.attachments().hasAny(plugin)) {
            plugin(plugin);
        }
    }

    /** All that claim a provider's volume on a node. */
    private void onNode(VolumeKey key, String nodeId) {
        after.claims().onNode(nodeId).stream()
                .filter(claim -> claim.key().equals(key))
                .forEach(this::touch);
    }

    /** All that claim a provider's volume anywhere. */
    private void key(VolumeKey key) {
        after.claims().of(key).forEach(this::touch);
    }

    private void touch(ClaimRow claim) {
        touch(claim.nodeId(), claim.allocId());
    }

    private void touch(String nodeId, String allocId) {
        allocations.computeIfAbsent(nodeId, id -> new HashSet<>()).add(allocId);
    }
}
