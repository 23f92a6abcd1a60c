package io.cleat.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.ArtifactTrouble;
import io.cleat.model.TaskArtifact;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seen: a source, or a redirect, reached the agent's own API and whatever else listens near. */
class NearAddressesTest {
    private static final String SAID = "-artifact-allow-address=";

    @TempDir
    Path directory;

    private Fetches fetches;

    @BeforeEach
    void begin() throws Exception {
        fetches = new Fetches(directory);
    }

    @AfterEach
    void end() {
        fetches.close();
    }

    private String refusal(String source, List<AddressRange> allowed) {
        return assertThrows(
                        ArtifactTrouble.class,
                        () -> fetches.fetch(Fetches.artifact(source), Fetches.LIMITS, List.of(), allowed))
                .reason();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "2130706433",
                "127.255.255.254",
                "0.0.0.0",
                "0.1.2.3",
                "localhost",
                "LOCALHOST",
                "169.254.169.254",
                "224.0.0.1",
                "[::1]",
                "[::]",
                "[fe80::1]",
                "[ff02::1]",
            })
    void aSourceThatIsNearIsRefused_overHttpAndGit(String host) throws Exception {
        String http = refusal("http://" + host + ":9/f", List.of());
        assertTrue(http.contains(SAID), http);
        String git = refusal("git::http://" + host + ":9/n.git", List.of());
        assertTrue(git.contains(SAID), git);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.1:9/f",
                "http://0x7f.0.0.1:9/f",
                "http://[::ffff:127.0.0.1]:9/f",
                "git::http://127.1:9/n.git",
                "git::http://[::ffff:127.0.0.1]:9/n.git",
                "git::git://127.0.0.1:9/n.git",
                "git::../name/of/a/repository",
                "git::name",
            })
    void whatIsNoPlainHostIsNotTried(String source) {
        String words = refusal(source, List.of());
        assertFalse(words.contains("refused: "), words);
        assertFalse(words.contains("it broke off"), words);
    }

    @Test
    void theMachinesOwnAddressesAreNear() throws Exception {
        List<String> own = new ArrayList<>();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress address : each.getInterfaceAddresses()) {
                own.add(address.getAddress().getHostAddress().replaceAll("%.*", ""));
            }
        }
        for (String host : own) {
            String url = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":9/f";
            String words = refusal(url, List.of());
            assertTrue(words.contains(SAID), url + ": " + words);
        }
    }

    @Test
    void sshIsHeldToTheRule() throws Exception {
        String words = refusal("git::ssh://git@127.0.0.1/n.git", List.of());
        assertTrue(words.contains(SAID), words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.2:9", "http://[::1]:9", "http://169.254.169.254"})
    void aRedirectToWhatIsNearIsRefused_overHttpAndGit(String to) {
        AtomicInteger asked = new AtomicInteger();
        fetches.serve("/", exchange -> {
            asked.incrementAndGet();
            exchange.getResponseHeaders().set("Location", to + exchange.getRequestURI());
            Fetches.answer(exchange, 302, new byte[0]);
        });
        for (String source : List.of(fetches.url("/f"), "git::" + fetches.url("/n.git"))) {
            asked.set(0);
            String words = refusal(source, Fetches.LOOPBACK);
            assertTrue(words.contains(SAID), source + ": " + words);
            assertTrue(asked.get() > 0, "the server itself is let through");
        }
    }

    @Test
    void theProcessThatFetchesHoldsNamesToTheRule() throws Exception {
        FetchProcess process = FetchProcess.start(
                Optional.empty(),
                fetches.fresh(),
                List.of(),
                List.of(),
                Fetches.LIMITS,
                List.of(
                        Fetches.artifact("http://localhost:" + fetches.port() + "/f"),
                        Fetches.artifact(
                                "git::http://localhost:" + fetches.port() + "/n.git", Map.of(), TaskArtifact.Mode.ANY)),
                Fetches.THREADS);
        for (Outcome outcome : process.await()) {
            assertTrue(outcome.toString().contains(SAID), outcome.toString());
        }
    }

    @Test
    void aNameThatChangesItsMeaningAfterTheLookIsNotKnown() throws Exception {
        Deque<String> answers = new ArrayDeque<>(List.of("192.0.2.1", "127.0.0.1", "127.0.0.1"));
        InetAddressResolver changing = new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) {
                return Stream.of(InetAddress.ofLiteral(answers.removeFirst()));
            }

            @Override
            public String lookupByAddress(byte[] address) {
                return "name";
            }
        };
        CheckedNames.Checked rule = CheckedNames.Checked.of(new AddressRule(List.of()), Set.of("proxy.example"));
        CheckedNames.Resolver resolver = new CheckedNames.Resolver(changing, () -> rule);
        InetAddressResolver.LookupPolicy any =
                InetAddressResolver.LookupPolicy.of(InetAddressResolver.LookupPolicy.IPV4);
        assertEquals(
                InetAddress.ofLiteral("192.0.2.1"),
                resolver.lookupByName("evil.example", any).findFirst().orElseThrow());
        assertThrows(UnknownHostException.class, () -> resolver.lookupByName("EVIL.example", any));
        assertEquals(Set.of("evil.example"), rule.refused());
        assertEquals(1, resolver.lookupByName("proxy.example", any).count(), "the operator named it");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8, 127.9.9.9, true",
        "127.0.0.1, 127.0.0.2, false",
        "10.1.0.0/15, 10.0.255.255, true",
        "10.2.0.0/15, 10.1.0.0, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "::1, ::1, true",
    })
    void aRangeHasWhatBeginsAsItDoes(String range, String address, boolean has) {
        assertEquals(has, AddressRange.parse(range).orElseThrow().has(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/x", "::1/129"})
    void whatIsNoRangeIsNone(String text) {
        assertFalse(AddressRange.parse(text).isPresent(), text);
    }
}
