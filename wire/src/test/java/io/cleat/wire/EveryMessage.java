package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.Secrets;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.Constraint;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.DriverFacts;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobSpec;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.NodeCapability;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.testkit.FullJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each message of the protocol's first version, with every part set. */
final class EveryMessage {
    private static final Instant AT = Instant.parse("2026-11-21T06:00:00.000000001Z");
    private static final VolumeId VOLUME = new VolumeId("default", "shared");
    private static final Secrets SECRETS = Secrets.of(Map.of("token", "not for logs"));
    private static final Topology RACK = new Topology(Map.of("rack", "r1"));
    private static final BlockedBy WAITS =
            new BlockedBy("stage", "plugin local", AT, AT.plusSeconds(9), "is tried again");

    private static final ListedSnapshot SNAPSHOT = new ListedSnapshot("snap-1", "ext-1", 1L << 26, AT, true);

    private EveryMessage() {}

    /** One of a deployment. */
    private static ToNode.Assignment withoutVolumes(String allocId, JobSpec job) {
        return new ToNode.Assignment(
                allocId, "web.front[1]", 1, "e-1", job, 3, "front", DesiredStatus.RUN, Map.of(), true, "d-1");
    }

    /** As {@link #toNode}, with what version 2 added to it. */
    static List<ToNode> toNodeOfVersion2() {
        List<ToNode> messages = new ArrayList<>(toNode());
        messages.add(new ToNode.Assignments(13, "", List.of(withoutVolumes("a-2", FullJob.specOfVersion2())), false));
        return messages;
    }

    /** As {@link #toServer}, with what version 2 added to it. */
    static List<ToServer> toServerOfVersion2() {
        List<ToServer> messages = new ArrayList<>(toServer());
        ToServer.AllocReport first = report();
        messages.add(new ToServer.Allocations(List.of(new ToServer.AllocReport(
                "a-2",
                first.status(),
                first.description(),
                first.tasks(),
                first.volumes(),
                new AllocHealth("d-1", true, AT),
                null))));
        return messages;
    }

    /** As {@link #toNodeOfVersion12}, with what version 13 added to it. */
    static List<ToNode> toNodeOfVersion13() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion12());
        messages.add(new ToNode.Assignments(24, "reign-9", List.of(withoutVolumes("a-13", FullJob.serving())), false));
        messages.add(new ToNode.ServicePlaces(
                "a-13",
                "web",
                List.of(new ToNode.ServicePlace(
                        "_nomad-task-a-1-group-front-web-8080",
                        "web",
                        "n-1",
                        "dc1",
                        "web",
                        "a-1",
                        List.of("blue", "fast"),
                        "10.0.0.7",
                        8080)),
                ""));
        messages.add(new ToNode.ServicePlaces("a-13", "", List.of(), "there are too many"));
        return messages;
    }

    /** As {@link #toServerOfVersion12}, with what version 13 added to it. */
    static List<ToServer> toServerOfVersion13() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion12());
        messages.add(new ToServer.ServicesWanted("a-13", "web", true));
        return messages;
    }

    static List<ToNode> toNode() {
        List<ToNode> messages = new ArrayList<>();
        messages.add(new ToNode.Welcome("c-1", Duration.ofSeconds(10), 7, false));
        messages.add(new ToNode.Rejected("its secret is not the one it registered with"));
        messages.add(new ToNode.HeartbeatSeen(41));
        messages.add(new ToNode.Assignments(
                12, "", List.of(assignment(Map.of("data", granted(false), "more", waiting()))), false));
        for (ControllerCall call : calls()) {
            messages.add(new ToNode.Order("op-1", 7, "local", "a-1", call));
        }
        messages.add(new ToNode.AskOrder("op-1"));
        return messages;
    }

    private static ToNode.Assignment assignment(Map<String, ToNode.AssignedVolume> volumes) {
        return new ToNode.Assignment(
                "a-1", "web.front[0]", 0, "e-1", FullJob.spec(), 3, "front", DesiredStatus.STOP, volumes, false, null);
    }

    private static ToNode.AssignedVolume granted(boolean compareOnly) {
        return new ToNode.AssignedVolume(
                VOLUME,
                "local",
                "ext-1",
                true,
                FullJob.WRITER,
                FullJob.EXT4,
                Map.of("pool", "p"),
                new ToNode.Grant(11, Secrets.of(Map.of("device", "/dev/x")), SECRETS, 1L << 27, compareOnly),
                null);
    }

    private static ToNode.AssignedVolume waiting() {
        return new ToNode.AssignedVolume(
                VOLUME, "local", "ext-1", false, FullJob.WRITER, FullJob.EXT4, Map.of(), null, WAITS);
    }

    private static List<ControllerCall> calls() {
        return List.of(
                new ControllerCall.Create(
                        "shared",
                        1L << 26,
                        1L << 27,
                        List.of(FullJob.WRITER),
                        FullJob.EXT4,
                        Map.of("type", "ext4"),
                        SECRETS,
                        new TopologyRequest(List.of(RACK), List.of(RACK)),
                        "snap-1",
                        "ext-0"),
                new ControllerCall.Delete("ext-1", SECRETS),
                new ControllerCall.Publish(
                        "ext-1", "node-1", FullJob.WRITER, FullJob.EXT4, true, Map.of("pool", "p"), SECRETS),
                new ControllerCall.Unpublish("ext-1", "node-1", SECRETS),
                new ControllerCall.Validate(
                        "ext-1", List.of(FullJob.WRITER), Map.of("type", "ext4"), Map.of("pool", "p"), SECRETS),
                new ControllerCall.ListVolumes("next", 50),
                new ControllerCall.Expand("ext-1", 1L << 27, 1L << 28, FullJob.WRITER, FullJob.EXT4, SECRETS),
                new ControllerCall.CreateSnapshot("ext-1", "monday", Map.of("policy", "p"), SECRETS),
                new ControllerCall.DeleteSnapshot("snap-1", SECRETS),
                new ControllerCall.ListSnapshots("next", 50, "ext-1", "snap-1", SECRETS),
                new ControllerCall.Capacity(List.of(FullJob.WRITER), FullJob.EXT4, Map.of("type", "ext4"), RACK));
    }

    /** As {@link #toServerOfVersion2}, with what version 3 added to it. */
    static List<ToServer> toServerOfVersion3() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion2());
        messages.add(new ToServer.Hello(3, "node secret", facts(), new ToServer.Obeyed("c-1", 12_345, 7, "")));
        return messages;
    }

    /** As {@link #toNodeOfVersion2}, with what version 4 added to it. */
    static List<ToNode> toNodeOfVersion4() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion2());
        messages.add(new ToNode.Welcome("c-1", Duration.ofSeconds(10), 7, true));
        messages.add(new ToNode.Tell());
        messages.add(new ToNode.Assignments(14, "reign-9", List.of(), false));
        return messages;
    }

    /** As {@link #toNodeOfVersion4}, with what version 5 added to it. */
    static List<ToNode> toNodeOfVersion5() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion4());
        messages.add(
                new ToNode.Assignments(15, "reign-9", List.of(withoutVolumes("a-5", FullJob.overlapping())), false));
        return messages;
    }

    /** As {@link #toNodeOfVersion5}, with what version 6 added to it. */
    static List<ToNode> toNodeOfVersion6() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion5());
        ToNode.Assignments whole = (ToNode.Assignments) messages.getLast();
        messages.add(new ToNode.Assignments(16, "reign-9", whole.allocations(), true));
        messages.add(new ToNode.AssignmentChanges(16, 17, "reign-9", whole.allocations(), List.of("a-2", "a-1")));
        return messages;
    }

    /** As {@link #toNodeOfVersion6}, with what version 7 added to it. */
    static List<ToNode> toNodeOfVersion7() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion6());
        messages.add(new ToNode.AssignmentChanges(
                17, 18, "reign-9", List.of(assignment(Map.of("data", granted(true)))), List.of()));
        return messages;
    }

    /** As {@link #toNodeOfVersion7}, with what version 8 added to it. */
    static List<ToNode> toNodeOfVersion8() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion7());
        messages.add(new ToNode.Assignments(19, "reign-9", List.of(withoutVolumes("a-8", FullJob.owned())), false));
        return messages;
    }

    /** As {@link #toNodeOfVersion8}, with what version 9 added to it. */
    static List<ToNode> toNodeOfVersion9() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion8());
        messages.add(new ToNode.Assignments(
                20,
                "reign-9",
                List.of(new ToNode.Assignment(
                        "a-9",
                        "convert.front[1]",
                        1,
                        "e-1",
                        FullJob.child(),
                        3,
                        "front",
                        DesiredStatus.RUN,
                        Map.of(),
                        true,
                        "")),
                false));
        return messages;
    }

    /** The kinds that version 10 brought. */
    static List<ToNode> toNodeOfVersion10() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion9());
        messages.add(new ToNode.TaskVariables(
                "a-10",
                "main",
                List.of(new ToNode.TaskVariable(
                        "default", "nomad/jobs/web", 41, Secrets.of(Map.of("user", "me", "password", "x")))),
                "the key is another one"));
        return messages;
    }

    static List<ToServer> toServerOfVersion10() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion4());
        messages.add(new ToServer.VariablesWanted("a-10", "main", true));
        return messages;
    }

    /** As {@link #toNodeOfVersion10}, with what version 11 added to it. */
    static List<ToNode> toNodeOfVersion11() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion10());
        messages.add(new ToNode.Assignments(21, "reign-9", List.of(withoutVolumes("a-11", FullJob.onHost())), false));
        messages.add(new ToNode.Order(
                "op-11", 8, "./host", "", new ControllerCall.MakeHostVolume(hostVolume(), "/srv/disk")));
        messages.add(new ToNode.Order("op-12", 8, "./host", "", new ControllerCall.DeleteHostVolume(hostVolume())));
        return messages;
    }

    /** As {@link #toServerOfVersion10}, with what version 11 added to it. */
    static List<ToServer> toServerOfVersion11() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion10());
        messages.add(
                new ToServer.Facts(facts().withHostVolumes(Map.of("disk", new HostVolume("hv-1", "/srv/disk", true)))));
        messages.add(new ToServer.OrderDone(
                "op-11", new OrderOutcome.Done(new ControllerReply.HostVolumeMade("/srv/disk", 1L << 30))));
        messages.add(new ToServer.OrderDone("op-12", new OrderOutcome.Done(new ControllerReply.HostVolumeDeleted())));
        return messages;
    }

    /** As {@link #toNodeOfVersion11}, with what version 12 added to it. */
    static List<ToNode> toNodeOfVersion12() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion11());
        messages.add(new ToNode.Assignments(
                22,
                "reign-9",
                List.of(new ToNode.Assignment(
                        "a-12",
                        "web.front[1]",
                        1,
                        "e-1",
                        FullJob.networked(),
                        3,
                        "front",
                        DesiredStatus.RUN,
                        Map.of(),
                        true,
                        "d-1",
                        List.of(FullJob.PORT))),
                false));
        return messages;
    }

    /** As {@link #toServerOfVersion11}, with what version 12 added to it. */
    static List<ToServer> toServerOfVersion12() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion11());
        messages.add(new ToServer.Facts(facts().withNetwork(FullJob.NETWORK)));
        return messages;
    }

    /** As {@link #toNodeOfVersion13}, with what version 14 added to it. */
    static List<ToNode> toNodeOfVersion14() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion13());
        messages.add(new ToNode.Assignments(
                25,
                "reign-9",
                List.of(withoutVolumes("a-14", FullJob.scaled()), withoutVolumes("a-15", FullJob.onceOnEachNode())),
                false));
        return messages;
    }

    /** As {@link #toServerOfVersion13}, with what version 14 added to it. */
    static List<ToServer> toServerOfVersion14() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion13());
        messages.add(new ToServer.Facts(facts().withTotal(new Resources(0, 8000, 9000).on(List.of(0, 3), 4000))));
        return messages;
    }

    /** As {@link #toServerOfVersion14}, with what version 15 added to it. */
    static List<ToServer> toServerOfVersion15() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion14());
        ToServer.AllocReport first = report();
        messages.add(new ToServer.Allocations(List.of(new ToServer.AllocReport(
                "a-15",
                first.status(),
                first.description(),
                first.tasks(),
                first.volumes(),
                null,
                new AllocAddress("eth0", "172.26.64.2", "fd00::2")))));
        return messages;
    }

    /** As {@link #toServerOfVersion15}, with what version 16 added to it. */
    static List<ToServer> toServerOfVersion16() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion15());
        ToServer.AllocReport first = report();
        messages.add(new ToServer.Allocations(List.of(new ToServer.AllocReport(
                "a-16",
                first.status(),
                first.description(),
                first.tasks(),
                first.volumes(),
                null,
                new AllocAddress("eth0", "172.26.64.2", "", FullJob.DNS)))));
        return messages;
    }

    /** As {@link #toNodeOfVersion14}, with what version 17 added to it. */
    static List<ToNode> toNodeOfVersion17() {
        List<ToNode> messages = new ArrayList<>(toNodeOfVersion14());
        messages.add(
                new ToNode.Assignments(26, "reign-9", List.of(withoutVolumes("a-17", FullJob.atDrivers())), false));
        return messages;
    }

    /** As {@link #toServerOfVersion16}, with what version 17 added to it. */
    static List<ToServer> toServerOfVersion17() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion16());
        ToServer.AllocReport first = report();
        messages.add(new ToServer.Allocations(List.of(new ToServer.AllocReport(
                "a-17",
                first.status(),
                first.description(),
                Map.of("server", TaskState.PENDING.at(FullJob.DRIVER_NETWORK)),
                first.volumes(),
                null,
                null))));
        return messages;
    }

    private static HostVolumeSpec hostVolume() {
        return new HostVolumeSpec(
                "hv-1",
                "team",
                "disk",
                "mkdir",
                "n-1",
                "default",
                List.of(new Constraint("${attr.kernel.name}", "=", "linux")),
                List.of(FullJob.WRITER),
                1L << 20,
                1L << 30,
                Map.of("mode", "0750"));
    }

    /** As {@link #toServerOfVersion3}, with what version 4 added to it. */
    static List<ToServer> toServerOfVersion4() {
        List<ToServer> messages = new ArrayList<>(toServerOfVersion3());
        messages.add(new ToServer.Hello(4, "node secret", facts(), new ToServer.Obeyed("c-1", 12_346, 7, "reign-9")));
        messages.add(new ToServer.Holds(
                List.of(new ToServer.Held("ebs", "vol-1", "a-1", "data"), new ToServer.Held("ebs", "vol-2", "", "")),
                true));
        return messages;
    }

    static List<ToServer> toServer() {
        List<ToServer> messages = new ArrayList<>();
        messages.add(new ToServer.Hello(1, "node secret", facts(), null));
        messages.add(new ToServer.Facts(facts()));
        messages.add(new ToServer.Heartbeat(41));
        messages.add(new ToServer.Allocations(List.of(report())));
        for (ControllerReply reply : replies()) {
            messages.add(new ToServer.OrderDone("op-1", new OrderOutcome.Done(reply)));
        }
        messages.add(new ToServer.OrderDone(
                "op-2", new OrderOutcome.Failed(Effect.UNKNOWN, "DeadlineExceeded", "too late")));
        messages.add(new ToServer.OrderState("op-1", true));
        messages.add(new ToServer.NodeEvents(List.of(new NodeEvent("Storage", "gone", Map.of("plugin", "p"), AT))));
        messages.add(new ToServer.VolumeEvents(
                VOLUME, List.of(new VolumeEvent(AT, "n-1", "NodeStageVolume", "OK", Duration.ofMillis(12), "m"))));
        return messages;
    }

    private static List<ControllerReply> replies() {
        return List.of(
                new ControllerReply.Created("ext-1", 1L << 26, Map.of("pool", "p"), List.of(RACK)),
                new ControllerReply.Deleted(),
                new ControllerReply.Published(Secrets.of(Map.of("device", "/dev/x"))),
                new ControllerReply.Unpublished(),
                new ControllerReply.Confirmed(),
                new ControllerReply.NotConfirmed("no such mode"),
                new ControllerReply.Listed(
                        List.of(new ListedVolume(
                                "ext-1", 1L << 26, Map.of("pool", "p"), List.of("node-1"), true, "slow")),
                        "next"),
                new ControllerReply.Expanded(1L << 27, true),
                new ControllerReply.SnapshotCreated(SNAPSHOT),
                new ControllerReply.SnapshotDeleted(),
                new ControllerReply.SnapshotsListed(List.of(SNAPSHOT), "next"),
                new ControllerReply.Room(1L << 40, 1L << 39, 1L << 20));
    }

    private static NodeFacts facts() {
        return new NodeFacts(
                "n-1",
                "host",
                "dc1",
                "default",
                "big",
                "127.0.0.1:4646",
                Map.of("kernel.name", "linux"),
                Map.of("row", "7"),
                Map.of("raw_exec", new DriverFacts(true, true, "Healthy", Map.of("v", "1"), AT)),
                List.of(new PluginInstance(
                        "local",
                        "a-0",
                        true,
                        "healthy",
                        "local.csi.cleat.io",
                        "0.1.0",
                        true,
                        true,
                        AT,
                        new PluginInstance.Controller(Set.of(ControllerCapability.CREATE_DELETE_VOLUME), true),
                        new PluginInstance.Node("node-1", 9, RACK, Set.of(NodeCapability.STAGE_UNSTAGE_VOLUME)))),
                new Resources(4000, 8000, 9000),
                50_000,
                "boot-1",
                List.of("/v is mounted"));
    }

    private static ToServer.AllocReport report() {
        return new ToServer.AllocReport(
                "a-1",
                ClientStatus.RUNNING,
                "Tasks are running",
                Map.of(
                        "server",
                        new TaskState(
                                TaskState.Phase.DEAD,
                                true,
                                1,
                                AT,
                                AT,
                                AT,
                                List.of(new TaskEvent("Started", AT, "m", Map.of("k", "v"))))),
                Map.of("data", new ToServer.VolumeReport(VOLUME, 11, ToServer.VolumePhase.MOUNTING, 1L << 27, WAITS)),
                null,
                null);
    }
}
