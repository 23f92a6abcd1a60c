package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.GetPluginInfoRequest;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ProbeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointTest {
    @TempDir
    Path directory;

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void theSocketIsItsOwnersAloneAndGoesWithThePlugin() throws Exception {
        Path socket = Served.socket(directory);
        try (Served served = new Served(directory)) {
            assertEquals("rw-------", mode(socket));
            assertEquals("rwx------", mode(directory.resolve("run")));
            assertEquals(List.of("csi.sock"), new Ground(directory).entries("run"));
            assertTrue(served.caller()
                    .identity()
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue());
        }
        assertFalse(Files.exists(socket));
    }

    @Test
    void theNameAndTheBuildsVersionAreAnswered() throws Exception {
        try (Served served = new Served(directory)) {
            GetPluginInfoResponse answer =
                    served.caller().identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
            assertEquals("local.csi.cleat.io", answer.getName());
            assertTrue(answer.getVendorVersion().matches("\\d+\\.\\d+\\.\\d+.*"), answer::toString);
        }
    }

    @Test
    void aSocketLeftByAKilledPredecessorIsReplaced() throws Exception {
        Path socket = Served.socket(directory);
        Files.createDirectories(socket.getParent());
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertTrue(Files.exists(socket));
        try (Served served = new Served(directory)) {
            served.caller().identity().probe(ProbeRequest.getDefaultInstance());
        }
    }

    @Test
    void aSocketOnWhichSomebodyAnswersIsLeftAlone() throws Exception {
        try (Served first = new Served(directory)) {
            CallRefused refused = assertThrows(CallRefused.class, () -> new Served(directory));
            assertTrue(refused.sentence().contains("somebody answers"), refused::sentence);
            first.caller().identity().probe(ProbeRequest.getDefaultInstance());
        }
    }

    @Test
    void aFileInThePlaceOfTheSocketIsLeftAlone() throws Exception {
        Path socket = Served.socket(directory);
        Files.createDirectories(socket.getParent());
        Files.writeString(socket, "precious");
        assertThrows(CallRefused.class, () -> new Served(directory));
        assertEquals("precious", Files.readString(socket));
    }

    @Test
    void aPoolThatIsGoneIsNotReady() throws Exception {
        try (Served served = new Served(directory)) {
            Files.move(directory.resolve("pool"), directory.resolve("elsewhere"));
            StatusRuntimeException refused = assertThrows(
                    StatusRuntimeException.class,
                    () -> served.caller().identity().probe(ProbeRequest.getDefaultInstance()));
            assertEquals(Status.Code.FAILED_PRECONDITION, refused.getStatus().getCode());
        }
    }

    @Test
    void twoProcessesServeOnePoolAndMakeOneVolumeOfOneName() throws Exception {
        Path second = directory.resolve("second.sock");
        try (Served served = new Served(directory);
                PluginProcess _ = new PluginProcess(directory, "--endpoint=unix://" + second);
                Caller other = new Caller(second)) {
            for (int i = 0; i < 5; i++) {
                String name = "v" + i;
                AtomicReference<String> theirs = new AtomicReference<>("");
                Thread racing = Thread.ofVirtual().start(() -> theirs.set(other.create(name, VolumeType.DIRECTORY, 0)));
                String ours = served.caller().create(name, VolumeType.DIRECTORY, 0);
                racing.join();
                assertEquals(ours, theirs.get());
            }
            assertEquals(
                    5,
                    other.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesCount());
        }
    }

    @Test
    void theRehearsalOfAQuickStartIsPlayed() {
        assertEquals(0, Rehearsal.play());
    }
}
