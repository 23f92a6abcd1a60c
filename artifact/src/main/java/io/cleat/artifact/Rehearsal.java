package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.TaskArtifact;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/**
 * Fetches an archive once as the confined process does, from a server of its own, so that the classes which that takes
 * are in the ahead-of-time cache.
 */
public final class Rehearsal {
    private static final String LOOPBACK = "127.0.0.1";

    private Rehearsal() {}

    /**
     * Fetches it.
     *
     * @param directory an empty one
     * @return 0 if it came as from a real server
     */
    public static int play(Path directory) throws IOException, InterruptedException {
        byte[] archive = archive();
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getByName(LOOPBACK))) {
            Threads threads = Threads.platform((thread, fault) -> fault.printStackTrace());
            threads.vitalWork("rehearsal/server", () -> serve(server, archive));
            Artifact artifact = new Artifact(
                    "http://" + LOOPBACK + ":" + server.getLocalPort() + "/a.tgz",
                    Map.of(),
                    Map.of(),
                    TaskArtifact.Mode.ANY,
                    false);
            List<AddressRange> allowed =
                    List.of(AddressRange.parse(LOOPBACK + "/8").orElseThrow());
            CheckedNames.begin(new AddressRule(allowed), new ProxyOfEnvironment(Map.of()).hosts());
            Path fetched = new Fetching(FetchLimits.standard(), List.of(), allowed, threads, new SystemTime())
                    .fetch(artifact, Files.createDirectory(directory.resolve("0")));
            return Files.exists(fetched.resolve("f")) ? 0 : 1;
        } catch (ArtifactTrouble failed) {
            System.err.println("the rehearsal of fetching failed: " + failed.reason());
            return 1;
        }
    }

    private static byte[] archive() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GzipCompressorOutputStream(bytes))) {
            tar.putArchiveEntry(new TarArchiveEntry("f"));
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    /** Answers each connection with the archive until the server is closed. */
    private static void serve(ServerSocket server, byte[] archive) {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                BufferedReader request = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
                String line = request.readLine();
                while (line != null && !line.isEmpty()) {
                    line = request.readLine();
                }
                OutputStream out = connection.getOutputStream();
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + archive.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                out.write(archive);
            } catch (IOException closed) {
                return;
            }
        }
    }
}
