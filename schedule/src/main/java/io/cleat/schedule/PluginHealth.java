package io.cleat.schedule;

import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.PluginPresence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How a storage plugin is in one image: what jobs want of it and what nodes say of it. Nothing of this is stored, so
 * that nothing can drift. What each step of a claim asks is had from {@link PluginPresence}, whatever the number of
 * nodes; who asks for the instances themselves, or what jobs expect, goes over them.
 */
public final class PluginHealth {
    private final ClusterState state;
    private final String pluginId;
    private final PluginPresence presence;

    private PluginHealth(ClusterState state, String pluginId) {
        this.state = state;
        this.pluginId = pluginId;
        this.presence = state.presence(pluginId);
    }

    /** An instance of the plugin, and the node that says so. */
    public record Seen(NodeRow node, PluginInstance instance) {
        /** Whether it is healthy, and its node there to ask it. */
        public boolean isWorking() {
            return PluginPresence.isWorking(node, instance);
        }
    }

    /** A job that runs the plugin, and how many instances it is to have. */
    public record Wanted(JobId job, int expected) {}

    public static PluginHealth of(ClusterState state, String pluginId) {
        return new PluginHealth(state, pluginId);
    }

    /** All instances, by node. */
    private Stream<Seen> seen() {
        return state.nodesWithPlugin(pluginId).stream().flatMap(this::on);
    }

    private Stream<Seen> on(NodeRow node) {
        return node.facts().plugins().stream()
                .filter(instance -> instance.pluginId().equals(pluginId))
                .map(instance -> new Seen(node, instance));
    }

    public String pluginId() {
        return pluginId;
    }

    /** Instances that serve the controller service, by node. */
    public List<Seen> controllers() {
        return seen().filter(each -> each.instance().controller() != null).toList();
    }

    /** Those of them that can be asked now. */
    public List<Seen> workingControllers() {
        return controllers().stream().filter(Seen::isWorking).toList();
    }

    /** Those of one node. */
    public List<Seen> workingControllersOn(String nodeId) {
        return state.node(nodeId).stream()
                .flatMap(this::on)
                .filter(each -> each.instance().controller() != null && each.isWorking())
                .toList();
    }

    /** Instances that serve the node service, by node. */
    public List<Seen> nodes() {
        return seen().filter(each -> each.instance().node() != null).toList();
    }

    public int controllersHealthy() {
        return presence.counts().workingControllers();
    }

    public int nodesHealthy() {
        return presence.counts().workingNodes();
    }

    /** The jobs that run its controller service. */
    public List<Wanted> controllerJobs() {
        return wanted(PluginType::servesController);
    }

    /** The jobs that run its node service. */
    public List<Wanted> nodeJobs() {
        return wanted(PluginType::servesNode);
    }

    public int controllersExpected() {
        return controllerJobs().stream().mapToInt(Wanted::expected).sum();
    }

    public int nodesExpected() {
        return nodeJobs().stream().mapToInt(Wanted::expected).sum();
    }

    /** Whether a node runs it at all. */
    public boolean isPresent() {
        return presence.counts().all() > 0;
    }

    /** The instance that a controller call goes to: the healthy one on the first node by id. */
    public Optional<Seen> controller() {
        return presence.firstController()
                .flatMap(id -> workingControllersOn(id).stream().findFirst());
    }

    /** Whether some instance announces this. */
    public boolean can(ControllerCapability capability) {
        return presence.can(capability);
    }

    public boolean can(NodeCapability capability) {
        return presence.can(capability);
    }

    /** Whether it expands volumes only while they are published nowhere. */
    public boolean expandsOffline() {
        return presence.counts().expandingOffline() > 0;
    }

    /** The provider's id of a node, as its instance there says. */
    public Optional<String> externalNodeId(String nodeId) {
        return state.node(nodeId).stream()
                .flatMap(this::on)
                .map(each -> each.instance().node())
                .filter(Objects::nonNull)
                .map(PluginInstance.Node::externalNodeId)
                .findFirst();
    }

    /** Whether its volumes have to be attached to a node before it may stage them. */
    public AttachNeed attachNeed() {
        if (can(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)) {
            return AttachNeed.NEEDED;
        }
        boolean isTold = !isControllerRequired() || presence.counts().controllers() > 0;
        return isPresent() && isTold ? AttachNeed.NOT_NEEDED : AttachNeed.UNKNOWN;
    }

    /**
     * Whether volumes need the controller service: some instance says that there is one, and it has registered, or a
     * job runs it, or something was attached by it. A plugin that runs as {@code type = "node"} alone may announce a
     * service that nobody here runs: its volumes do without.
     */
    public boolean isControllerRequired() {
        return presence.counts().needingController() > 0
                && (presence.counts().controllers() > 0
                        || state.attachments().hasAny(pluginId)
                        || state.jobsWithPlugin(pluginId).stream().anyMatch(this::runsController));
    }

    /** Whether a volume of the plugin could be used somewhere. */
    public boolean isSchedulable() {
        return nodesHealthy() > 0 && (!isControllerRequired() || controllersHealthy() > 0);
    }

    /** What was last heard of any instance; empty while no node has one. */
    public Optional<PluginInstance> latest() {
        return seen().map(Seen::instance).max(Comparator.comparing(PluginInstance::updatedAt));
    }

    private boolean runsController(JobRow job) {
        return job.spec().groups().stream().anyMatch(group -> tasks(group, PluginType::servesController) > 0);
    }

    private List<Wanted> wanted(Predicate<PluginType> serves) {
        List<Wanted> jobs = new ArrayList<>();
        for (JobRow job : state.jobsWithPlugin(pluginId)) {
            int expected = 0;
            boolean runsIt = false;
            for (TaskGroup group : job.spec().groups()) {
                int tasks = tasks(group, serves);
                if (tasks > 0) {
                    runsIt = true;
                    expected += tasks * expected(job, group);
                }
            }
            if (runsIt) {
                jobs.add(new Wanted(job.id(), expected));
            }
        }
        return jobs;
    }

    /** How many tasks of a group run such a service of it. */
    private int tasks(TaskGroup group, Predicate<PluginType> serves) {
        int tasks = 0;
        for (Task task : group.tasks()) {
            CsiPluginSpec plugin = task.csiPlugin();
            if (plugin != null && plugin.id().equals(pluginId) && serves.test(plugin.type())) {
                tasks++;
            }
        }
        return tasks;
    }

    /**
     * A system job has as many instances as there are nodes for it, which its tally knows; one that has failed is
     * replaced.
     */
    private int expected(JobRow job, TaskGroup group) {
        return switch (job.spec().type()) {
            case SERVICE, BATCH -> group.count();
            case SYSTEM, SYSBATCH ->
                GroupTally.of(state, job)
                                .getOrDefault(group.name(), GroupTally.NONE)
                                .present()
                        + failed(job, group);
        };
    }

    /** Those that wait for their time: one whose time has come is placed, or queued for room. */
    private int failed(JobRow job, TaskGroup group) {
        if (!job.isWanted()) {
            return 0;
        }
        return (int) state.allocationsOfJob(job.id()).stream()
                .filter(row -> row.group().equals(group.name()))
                .filter(row -> row.status() == ClientStatus.FAILED)
                .filter(row -> row.desired() == DesiredStatus.RUN
                        && row.lineage().next().isEmpty())
                .filter(row -> row.jobVersion().equals(job.current()))
                .filter(row -> state.evaluations()
                                .get(row.lineage().followupEval())
                                .map(EvaluationRow::status)
                                .orElse(EvaluationStatus.PENDING)
                        == EvaluationStatus.PENDING)
                .count();
    }
}
