package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.GetPluginCapabilitiesRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.NodeGetCapabilitiesRequest;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin's two parts as servers of their own over one pool: a controller and two nodes. */
class SplitTest {
    @TempDir
    Path directory;

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
    }

    private Served controller() throws Exception {
        return new Served(directory, directory.resolve("run/c.sock"), "--type=controller", "--node-id=c");
    }

    private Served node(String id) throws Exception {
        return new Served(directory, directory.resolve("run/" + id + ".sock"), "--type=node", "--node-id=" + id);
    }

    /** An older suite of conformance fails what announces more than it knows. */
    @Test
    void nothingIsAnnouncedThatAnOlderVersionOfCsiDoesNotHave() throws Exception {
        try (Served plugin =
                new Served(directory, directory.resolve("run/old.sock"), "--node-id=n", "--csi-version=1.0")) {
            Caller caller = plugin.caller();
            assertEquals(
                    Set.of(
                            "CREATE_DELETE_VOLUME",
                            "PUBLISH_UNPUBLISH_VOLUME",
                            "PUBLISH_READONLY",
                            "LIST_VOLUMES",
                            "GET_CAPACITY",
                            "CLONE_VOLUME",
                            "CREATE_DELETE_SNAPSHOT",
                            "LIST_SNAPSHOTS"),
                    caller
                            .controller()
                            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(each -> each.getRpc().getType().name())
                            .collect(Collectors.toSet()));
            assertEquals(
                    Set.of("STAGE_UNSTAGE_VOLUME", "GET_VOLUME_STATS"),
                    caller
                            .node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(each -> each.getRpc().getType().name())
                            .collect(Collectors.toSet()));
            assertEquals(
                    2,
                    caller.identity()
                            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount());
        }
    }

    @Test
    void eachPartServesItsCallsAndSaysOfTheWholeWhatItIs() throws Exception {
        try (Served controller = controller();
                Served node = node("n1")) {
            var capabilities = GetPluginCapabilitiesRequest.getDefaultInstance();
            assertEquals(
                    controller.caller().identity().getPluginCapabilities(capabilities),
                    node.caller().identity().getPluginCapabilities(capabilities));
            PluginTest.refused(
                    Status.Code.UNIMPLEMENTED,
                    "NodeGetInfo",
                    () -> controller.caller().node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
            PluginTest.refused(
                    Status.Code.UNIMPLEMENTED,
                    "ListVolumes",
                    () -> node.caller().controller().listVolumes(ListVolumesRequest.getDefaultInstance()));
            String id = controller.caller().create("v", VolumeType.DIRECTORY, 0);
            PluginTest.refused(
                    Status.Code.NOT_FOUND, "'c'", () -> controller.caller().attach(id, "c", Caller.SHARED, false));
        }
    }

    @Test
    void whatOneNodeWritesTheOtherReads() throws Exception {
        try (Served controller = controller();
                Served first = node("n1");
                Served second = node("n2")) {
            String id = controller.caller().create("v", VolumeType.DIRECTORY, 0);
            for (Served node : List.of(first, second)) {
                String name = node == first ? "n1" : "n2";
                Map<String, String> context = controller.caller().attach(id, name, Caller.SHARED, false);
                assertEquals(Map.of(), context);
                node.caller().stage(id, node.staging(name), Caller.SHARED);
                node.caller().publish(id, node.staging(name), node.target(name), Caller.SHARED);
            }
            Files.writeString(first.target("n1").resolve("f"), "seen");
            assertEquals("seen", Files.readString(second.target("n2").resolve("f")));
            for (Served node : List.of(first, second)) {
                String name = node == first ? "n1" : "n2";
                node.caller().unpublish(id, node.target(name));
                node.caller().unstage(id, node.staging(name));
                controller.caller().detach(id, name);
            }
            controller.caller().delete(id);
            new Ground(directory).assertNothingLeft();
        }
    }

    @Test
    void anImageStaysWithItsNodeUntilThatIsOffOrSaidToBe() throws Exception {
        try (Served controller = controller();
                Served first = node("n1");
                Served second = node("n2")) {
            String id = controller.caller().create("v", VolumeType.EXT4, 16 * Sizes.MIB);
            controller.caller().attach(id, "n1", Caller.WRITER, false);
            first.caller().stage(id, first.staging("n1"), Caller.WRITER);
            Path elsewhere = second.staging("n2");
            PluginTest.refused(
                    Status.Code.FAILED_PRECONDITION,
                    "staged on node n1",
                    () -> second.caller().stage(id, elsewhere, Caller.WRITER));
            controller.caller().detach(id, "n1");
            controller.caller().attach(id, "n2", Caller.WRITER, false);
            PluginTest.refused(
                    Status.Code.FAILED_PRECONDITION,
                    "attached to node n2",
                    () -> controller.caller().delete(id));
            first.caller().unstage(id, first.staging("n1"));
            second.caller().stage(id, elsewhere, Caller.WRITER);
            assertTrue(Files.isDirectory(elsewhere.resolve("lost+found")));
            second.caller().unstage(id, elsewhere);
            controller.caller().detach(id, "");
            controller.caller().delete(id);
            new Ground(directory).assertNothingLeft();
        }
    }
}
