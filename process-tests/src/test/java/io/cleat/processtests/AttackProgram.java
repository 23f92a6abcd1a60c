package io.cleat.processtests;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.junit.jupiter.api.Assumptions;

/**
 * The parties' program, from {@code src/test/c/attack}, and what it is told, served as an archive to the tasks that run
 * it.
 */
final class AttackProgram implements AutoCloseable {
    private final Path program;
    private final Path settings;
    private final HttpServer server;

    private AttackProgram(Path program, Path settings, HttpServer server) {
        this.program = program;
        this.settings = settings;
        this.server = server;
    }

    /** Builds it; the test is skipped where it cannot be built. */
    static Path built(Path into) throws Exception {
        Path sources = Path.of(System.getProperty("cleat.root", "..")).resolve("process-tests/src/test/c/attack");
        Path program = into.resolve("attacker");
        List<String> command = new ArrayList<>(List.of("cc", "-static", "-O1", "-Wall"));
        try (Stream<Path> files = Files.list(sources)) {
            files.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(command::add);
        }
        command.addAll(List.of("-o", program.toString(), "-lpthread", "-lrt"));
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("reason: there is no C compiler here: ./dev setup -y brings it");
            throw absent;
        }
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeTrue(compiler.waitFor() == 0, () -> "reason: the attacker was not built: " + words);
        return program;
    }

    /**
     * Serves it on loopback.
     *
     * @param lines what it is told: a key and a value each
     */
    static AttackProgram served(Path program, List<String> lines) throws IOException {
        Path settings = program.resolveSibling("settings");
        Files.write(settings, lines);
        byte[] archive = archive(program, settings);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, archive.length);
                exchange.getResponseBody().write(archive);
            }
        });
        server.start();
        return new AttackProgram(program, settings, server);
    }

    private static byte[] archive(Path... files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GzipCompressorOutputStream(bytes))) {
            for (Path file : files) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getFileName().toString());
                byte[] content = Files.readAllBytes(file);
                entry.setMode(0100755);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** Where the archive of the program and its settings is. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/attack.tgz";
    }

    /** On this machine, for a party that is no task. */
    Path path() {
        return program;
    }

    Path settings() {
        return settings;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
