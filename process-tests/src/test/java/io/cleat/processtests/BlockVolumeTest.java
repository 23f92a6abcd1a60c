package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A raw block volume of the bundled plugin, from job to job. */
@Timeout(240)
class BlockVolumeTest {
    private static final long MIB = 1 << 20;
    private static final int TYPE = 0170000;
    private static final int BLOCK_DEVICE = 0060000;

    @Test
    void whatOneJobWritesToItsDeviceTheNextOneReads() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            CsiVolume volume = agent.create(Words.device("raw", 16));
            agent.register(Words.onDevice(
                    "writer",
                    "raw",
                    false,
                    "printf 'first words' | dd of=$CLEAT_VOLUME_data conv=notrunc,fsync;"
                            + " exec 3<>$CLEAT_VOLUME_data; exec sleep 600"));
            AllocationStub writer = agent.running("writer");
            Path device = agent.data().resolve("alloc/" + writer.ID() + "/t/dev/disk");
            agent.awaits(() -> read(device).equals("first words"), "the job has written");
            assertEquals(BLOCK_DEVICE, mode(device) & TYPE);
            long process = agent.process(writer.ID());
            List<String> calls = agent.calls(volume.ExternalID());

            agent.kill();
            agent.start();
            assertEquals(writer.ID(), agent.running("writer").ID());
            assertEquals(process, agent.process(writer.ID()));
            assertEquals(calls, agent.calls(volume.ExternalID()));
            assertEquals("first words", read(device));

            agent.create(Words.device("raw", 32));
            agent.awaits(() -> length(device) == 32 * MIB, "the device grows under the job");
            assertEquals(process, agent.process(writer.ID()));

            agent.stop("writer");
            agent.awaits(
                    () -> agent.calls(volume.ExternalID()).contains("ControllerUnpublishVolume"),
                    "it is detached, and not handed on to the next job");
            agent.register(Words.onDevice(
                    "reader",
                    "raw",
                    true,
                    "dd if=$CLEAT_VOLUME_data bs=11 count=1 2>/dev/null; if printf other |"
                            + " dd of=$CLEAT_VOLUME_data conv=notrunc,fsync 2>/dev/null;"
                            + " then echo ' and was overwritten'; else echo ' and stay';"
                            + " fi; exec sleep 600"));
            AllocationStub reader = agent.running("reader");
            Api api = agent.api();
            agent.awaits(
                    () -> api.printed(reader.ID(), "t").equals("first words and stay\n"),
                    "the next job reads the same bytes, and cannot write");
            agent.stop("reader");
            agent.delete("raw");
            assertEquals(
                    List.of(
                            "CreateVolume",
                            "ControllerPublishVolume",
                            "NodeStageVolume",
                            "NodePublishVolume",
                            "ControllerExpandVolume",
                            "NodeExpandVolume",
                            "NodeUnpublishVolume",
                            "NodeUnstageVolume",
                            "ControllerUnpublishVolume",
                            "ControllerPublishVolume",
                            "NodeStageVolume",
                            "NodePublishVolume",
                            "NodeExpandVolume",
                            "NodeUnpublishVolume",
                            "NodeUnstageVolume",
                            "ControllerUnpublishVolume",
                            "DeleteVolume"),
                    agent.calls(volume.ExternalID()));
        }
    }

    private static int mode(Path device) throws IOException {
        return (int) Files.getAttribute(device, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static String read(Path device) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "r")) {
            byte[] bytes = new byte[11];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }

    private static long length(Path device) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "r")) {
            return file.length();
        }
    }
}
