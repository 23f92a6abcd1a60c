package io.cleat.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.artifact.AddressRange;
import io.cleat.base.Secret;
import io.cleat.base.Threads;
import io.cleat.driver.registry.RegistryLogin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images come from a registry that has its moods. */
@Timeout(60)
final class PullTest {
    private static final Threads THREADS = Threads.platform((where, fault) -> System.err.println(where + ": " + fault));
    private static final List<AddressRange> LOOPBACK =
            List.of(AddressRange.parse("127.0.0.0/8").orElseThrow());

    @TempDir
    Path directory;

    private TestRegistry registry;
    private Duration patience = Duration.ofSeconds(30);
    private String host = "";
    private int count;

    @BeforeEach
    void begin() throws Exception {
        registry = new TestRegistry();
        host = registry.host();
    }

    @AfterEach
    void end() {
        registry.close();
    }

    /** What the process that pulls answers: done, or why not. */
    private String pulled(String reference, Optional<RegistryLogin> login, List<AddressRange> near) throws Exception {
        Path into = Files.createDirectory(directory.resolve("pull" + count++));
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        new DataOutputStream(wanted).writeInt(1);
        new DataOutputStream(wanted).writeInt(0);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PullMain.run(
                new PullOrder(
                        into, host, "team/app", reference, login, near, Duration.ofSeconds(20), 1 << 20, patience),
                new DataInputStream(new ByteArrayInputStream(wanted.toByteArray())),
                new DataOutputStream(said),
                THREADS,
                Duration.ofMillis(1));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(said.toByteArray()));
        int kind = in.readUnsignedByte();
        if (kind == Wire.IMAGE) {
            Wire.readText(in);
            ImageFacts facts = Wire.readFacts(in);
            kind = in.readUnsignedByte();
            if (kind == Wire.DONE) {
                Path layer = into.resolve("blobs/sha256")
                        .resolve(facts.diffIds().getFirst().hex());
                assertEquals(facts.diffIds().getFirst(), TestRegistry.digest(Files.readAllBytes(layer)));
                return String.join(" ", facts.program().command());
            }
        }
        assertEquals(Wire.FAILED, kind);
        return Wire.readText(in);
    }

    private String pulled(String reference) throws Exception {
        return pulled(reference, Optional.empty(), LOOPBACK);
    }

    @Test
    void anImageIsPulledByItsTagAndByItsDigest_forThisMachine() throws Exception {
        Digest digest = registry.image("first", "x");
        assertEquals("first", pulled("first"));
        assertEquals("first", pulled(digest.toString()));
        registry.manifest("{}", "sha256:" + "1".repeat(64));
        String other = pulled("sha256:" + "1".repeat(64));
        assertTrue(other.contains("is damaged or another: expected sha256:1111"), other);
        String none = pulled("none");
        assertTrue(none.contains("127.0.0.1 has no manifests/none of team/app"), none);
    }

    @Test
    void anImageComesFromARealRegistry() throws Exception {
        try (RealRegistry real = RealRegistry.start(Files.createDirectory(directory.resolve("real")))) {
            byte[] layer = TestRegistry.layer("x".repeat(100_000));
            byte[] config =
                    TestRegistry.config("real", TestRegistry.digest(layer)).getBytes(UTF_8);
            real.push(layer);
            real.push(config);
            String manifest = "application/vnd.docker.distribution.manifest.v2+json";
            real.push(
                    "1",
                    "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                            .formatted(
                                    manifest,
                                    described("application/vnd.docker.container.image.v1+json", config),
                                    described("application/vnd.docker.image.rootfs.diff.tar", layer)),
                    manifest);
            host = real.host();
            assertEquals("real", pulled("1"));
            assertTrue(pulled("2").contains("has no manifests/2 of team/app"));
        }
    }

    private static String described(String mediaType, byte[] blob) {
        return "{\"mediaType\":\"%s\",\"size\":%d,\"digest\":\"%s\"}"
                .formatted(mediaType, blob.length, TestRegistry.digest(blob));
    }

    @Test
    void aTokenIsGot_withCredentialsWhereThereAreSome() throws Exception {
        registry.image("first", "x");
        registry.wantToken("");
        assertEquals("first", pulled("first"));
        assertTrue(
                registry.asked().contains("/token?scope=repository%3Ateam%2Fapp%3Apull&service=s+s"),
                registry.asked().toString());
        registry.wantToken("me:secret");
        Optional<RegistryLogin> right = Optional.of(new RegistryLogin("me", new Secret("secret"), ""));
        assertEquals("first", pulled("first", right, LOOPBACK));
        String none = pulled("first");
        assertTrue(none.contains("wants credentials, or does not have it"), none);
        Optional<RegistryLogin> wrong = Optional.of(new RegistryLogin("me", new Secret("wrong"), ""));
        String refused = pulled("first", wrong, LOOPBACK);
        assertEquals("its registry did not take the credentials", refused);
    }

    @Test
    void whatPassesIsTriedAgain_andGoesOnWhereItWasCut() throws Exception {
        registry.image("first", "x".repeat(100_000));
        registry.next((exchange, body) -> {
            exchange.getResponseHeaders().add("Retry-After", "0");
            exchange.sendResponseHeaders(429, -1);
        });
        registry.next((exchange, body) -> exchange.sendResponseHeaders(503, -1));
        assertEquals("first", pulled("first"));
        // The configuration comes as it is; the layer is cut.
        registry.next(TestRegistry::whole);
        registry.next((exchange, body) -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body, 0, 5000);
            exchange.getResponseBody().flush();
        });
        assertEquals("first", pulled("first"));
        assertTrue(
                registry.asked().stream().anyMatch(each -> each.endsWith("bytes=5000-")),
                registry.asked().toString());
        for (int i = 0; i < 6; i++) {
            registry.next((exchange, body) -> exchange.sendResponseHeaders(500, -1));
        }
        assertEquals("127.0.0.1 answered 500, 6 times", pulled("first"));
        registry.next((exchange, body) -> {
            exchange.getResponseHeaders().add("Retry-After", "3600");
            exchange.sendResponseHeaders(429, -1);
        });
        String limited = pulled("first");
        assertTrue(limited.contains("wants to be asked again in 3600 s"), limited);
    }

    @Test
    void whatIsWrongSlowOrTooMuchIsRefused() throws Exception {
        registry.image("first", "x".repeat(100_000));
        registry.next(TestRegistry::whole);
        registry.next((exchange, body) -> {
            exchange.sendResponseHeaders(200, 3);
            exchange.getResponseBody().write(new byte[3]);
        });
        String wrong = pulled("first");
        assertTrue(wrong.contains("is damaged or another"), wrong);
        registry.image("large", "x".repeat(2 << 20));
        String large = pulled("large");
        assertTrue(large.contains("more than 1048576 bytes"), large);
        String near = pulled("first", Optional.empty(), List.of());
        assertTrue(near.contains("is this machine or its link"), near);
        registry.next(TestRegistry::whole);
        CountDownLatch over = new CountDownLatch(1);
        registry.next((exchange, body) -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body, 0, 10);
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        patience = Duration.ofSeconds(1);
        String slow = pulled("first");
        over.countDown();
        assertTrue(slow.contains("it came with less than 1 KiB a second"), slow);
    }
}
