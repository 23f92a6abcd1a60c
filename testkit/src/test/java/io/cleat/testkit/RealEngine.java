package io.cleat.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * An engine of this machine, if it has one, and an image in it that needs no registry: empty, since
 * tests mount the machine's programs into their containers.
 */
record RealEngine(Path socket) {
    static final String IMAGE = "localhost/cleat-test:1";

    /** Where the machine's programs and their libraries are. */
    static final List<Path> PROGRAMS =
            Stream.of("/usr", "/bin", "/sbin", "/lib", "/lib64").map(Path::of).toList();

    private static final int BLOCK = 512;

    /** The engine that answers; the test is skipped if none does. */
    static RealEngine here() throws IOException {
        String named = System.getenv().getOrDefault("CLEAT_TEST_ENGINE", "");
        Optional<Path> socket =
                Stream.of(named, "/var/run/docker.sock", "/run/podman/podman.sock")
                        .filter(text -> !text.isEmpty())
                        .map(Path::of)
                        .filter(RealEngine::answers)
                        .findFirst();
        Assumptions.assumeTrue(
                socket.isPresent(),
                "reason: no container engine answers here; start one, and name its socket with"
                        + " CLEAT_TEST_ENGINE");
        RealEngine engine = new RealEngine(socket.orElseThrow());
        engine.haveImage();
        return engine;
    }

    private static boolean answers(Path socket) {
        try {
            return Files.exists(socket) && new RealEngine(socket).ask("GET", "/_ping", null) == 200;
        } catch (IOException absent) {
            return false;
        }
    }

    private void haveImage() throws IOException {
        if (ask("GET", "/images/" + IMAGE + "/json", null) == 200) {
            return;
        }
        int status = ask("POST", "/images/create?fromSrc=-&repo=localhost%2Fcleat-test%3A1", tar());
        if (status != 200) {
            throw new IOException("the image could not be imported: " + status);
        }
    }

    /** Removes the image; those of no test are left alone. */
    void dropImage() throws IOException {
        ask("DELETE", "/images/" + IMAGE, null);
    }

    /** Asks, reads the answer to its end, and gives its status. */
    int ask(String method, String target, byte @Nullable [] body) throws IOException {
        try (TimedChannel channel =
                TimedChannel.open(
                        UnixDomainSocketAddress.of(socket),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30))) {
            Map<String, String> fields =
                    body == null ? Map.of() : Map.of("Content-Type", "application/x-tar");
            HttpReply reply =
                    new HttpRequest(method, "/v1.41" + target, "docker", fields, body)
                            .over(channel);
            reply.body().readAllBytes();
            return reply.status();
        }
    }

    /** An archive with one empty directory in it. */
    private static byte[] tar() {
        byte[] archive = new byte[3 * BLOCK];
        put(archive, 0, "tmp/");
        put(archive, 100, "0001777");
        put(archive, 108, "0000000");
        put(archive, 116, "0000000");
        put(archive, 124, "00000000000");
        put(archive, 136, "00000000000");
        archive[156] = '5';
        put(archive, 257, "ustar\00000");
        put(archive, 148, "        ");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += archive[i];
        }
        put(archive, 148, "%06o\0 ".formatted(sum));
        return archive;
    }

    private static void put(byte[] archive, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, archive, at, bytes.length);
    }
}
