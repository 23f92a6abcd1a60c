package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole life of a volume: each argument arrives, each answer comes back. */
final class RoadTest {
    private static final VolumeUse EXT4 = new VolumeUse(
            new AccessType.Mount("ext4", MountFlags.of(List.of("noatime")), "1000"), AccessMode.SINGLE_NODE_WRITER);

    @TempDir
    private Path dir;

    @Test
    void theLifeOfAVolume() throws Exception {
        FakeCsiSetup setup =
                FakeCsiSetup.standard().withNode("n1", 7, Map.of("zone", "a")).withCapacity(10 << 20);
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY, setup)) {
            Deadline deadline = PluginRig.minute();
            ControllerClient controller = rig.channel.controller();
            NodeClient node = rig.channel.node();

            assertEquals(
                    "fake.csi.cleat.io", rig.channel.identity().info(deadline).name());
            assertEquals(
                    Set.of(PluginCapability.CONTROLLER_SERVICE),
                    rig.channel.identity().capabilities(deadline));
            assertEquals(Set.of(NodeCapability.STAGE_UNSTAGE_VOLUME), node.capabilities(deadline));
            assertEquals(new NodeIdentity("n1", 7, Optional.of(Topology.of(Map.of("zone", "a")))), node.info(deadline));
            assertEquals(
                    new StorageCapacity(9 << 20, OptionalLong.empty(), OptionalLong.empty()),
                    controller.capacity(List.of(EXT4), Map.of(), Optional.empty(), deadline));

            PluginVolume made = controller.create(
                    new VolumeOrder(
                            "v2",
                            new CapacityRange(2 << 20, 4 << 20),
                            List.of(EXT4),
                            Map.of("kind", "image"),
                            Secrets.of(Map.of("key", "word")),
                            List.of(Topology.of(Map.of("zone", "a"))),
                            List.of(),
                            ContentSource.EMPTY,
                            Map.of()),
                    deadline);
            assertEquals("ext-v2", made.volumeId());
            assertEquals(2 << 20, made.capacityBytes());
            assertEquals(Map.of("name", "v2"), made.context());
            CreateVolumeRequest ordered = (CreateVolumeRequest)
                    rig.plugin.calls("CreateVolume").getFirst().request();
            assertEquals(4 << 20, ordered.getCapacityRange().getLimitBytes());
            assertEquals(Map.of("kind", "image"), ordered.getParametersMap());
            assertEquals(Map.of("key", "word"), ordered.getSecretsMap());
            assertEquals(1, ordered.getAccessibilityRequirements().getRequisiteCount());
            assertEquals("1000", ordered.getVolumeCapabilities(0).getMount().getVolumeMountGroup());

            assertEquals(
                    new Validation.Confirmed(made.context(), List.of(EXT4), Map.of()),
                    controller.validate(
                            new ValidationOrder("ext-v2", made.context(), List.of(EXT4), Map.of(), Secrets.none()),
                            deadline));
            PublishContext context = controller.publish(
                    new ControllerPublication("ext-v2", "n1", EXT4, false, Secrets.none(), made.context()), deadline);
            assertEquals(Map.of("attached", "ext-v2"), context.reveal());

            node.stage(new NodeStaging("ext-v2", context, "/stage", EXT4, Secrets.none(), made.context()), deadline);
            node.publish(
                    new NodePublication(
                            "ext-v2", context, "/stage", "/target", EXT4, true, Secrets.none(), made.context()),
                    deadline);
            NodePublishVolumeRequest published = (NodePublishVolumeRequest)
                    rig.plugin.calls("NodePublishVolume").getFirst().request();
            assertEquals(context.reveal(), published.getPublishContextMap());
            assertEquals("/stage", published.getStagingTargetPath());
            assertEquals("/target", published.getTargetPath());
            assertEquals(true, published.getReadonly());
            assertEquals(
                    List.of("noatime"),
                    published.getVolumeCapability().getMount().getMountFlagsList());
            assertEquals(made.context(), published.getVolumeContextMap());

            VolumePage first = controller.list(1, "", deadline);
            VolumePage second = controller.list(1, first.nextToken(), deadline);
            assertEquals("ext-v2", second.entries().getFirst().volume().volumeId());
            assertEquals(Set.of("n1"), second.entries().getFirst().publishedNodeIds());
            assertEquals("", second.nextToken());

            assertEquals(Removal.DONE, node.unpublish("ext-v2", "/target", deadline));
            assertEquals(Removal.DONE, node.unstage("ext-v2", "/stage", deadline));
            assertEquals(Removal.DONE, controller.unpublish("ext-v2", "n1", Secrets.none(), deadline));
            controller.delete("ext-v2", Secrets.none(), deadline);
            assertEquals(1, rig.plugin.volumes().size());
        }
    }

    @Test
    void aRawBlockVolumeIsAskedForAsOne() {
        assertEquals(
                true,
                Wire.use(new VolumeUse(AccessType.BLOCK, AccessMode.MULTI_NODE_MULTI_WRITER))
                        .hasBlock());
    }

    @Test
    void ourEnumsAreThoseOfTheSpecification() {
        assertEquals(names(io.cleat.csi.v1.VolumeCapability.AccessMode.Mode.values()), names(AccessMode.values()));
        Set<String> old = Set.of("VOLUME_CONDITION");
        assertEquals(names(ControllerServiceCapability.RPC.Type.values()), names(ControllerCapability.values(), old));
        assertEquals(names(NodeServiceCapability.RPC.Type.values()), names(NodeCapability.values(), old));
        assertEquals(
                names(io.cleat.csi.v1.GroupControllerServiceCapability.RPC.Type.values()),
                names(GroupCapability.values()));
        assertEquals(
                names(
                        io.cleat.csi.v1.VolumeHealthErrorType.values(),
                        Set.of("UNKNOWN_VOLUME_HEALTH_TYPE", "UNRECOGNIZED")),
                names(VolumeHealth.Kind.values()));
        assertEquals(
                names(
                        io.cleat.csi.v1.StorageHealthErrorType.values(),
                        Set.of("UNKNOWN_STORAGE_HEALTH_ERROR_TYPE", "UNRECOGNIZED")),
                names(StorageHealth.Kind.values()));
        Set<String> services = names(io.cleat.csi.v1.PluginCapability.Service.Type.values());
        services.add("ONLINE_EXPANSION");
        services.add("OFFLINE_EXPANSION");
        assertEquals(services, names(PluginCapability.values()));
        assertEquals(names(io.grpc.Status.Code.values(), Set.of()), codes());
    }

    private static Set<String> codes() {
        return names(CsiCode.values(), Set.of());
    }

    private static Set<String> names(Enum<?>[] values) {
        return names(values, Set.of("UNKNOWN", "UNRECOGNIZED"));
    }

    private static Set<String> names(Enum<?>[] values, Set<String> without) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(values).map(Enum::name).forEach(names::add);
        names.removeAll(without);
        return names;
    }
}
