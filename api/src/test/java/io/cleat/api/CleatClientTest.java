package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secret;
import io.cleat.base.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CleatClientTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String META = fields(
            "X-Nomad-Index: 7", "X-Nomad-Knownleader: true", "X-Nomad-Lastcontact: 3", "X-Nomad-Nexttoken: default.b");

    @TempDir
    Path directory;

    private static String fields(String... fields) {
        return String.join("\r\n", fields) + "\r\n";
    }

    private static CleatClient client(OneReplyServer server) throws IOException {
        return new CleatClient(server.address(), CleatClient.Options.NONE);
    }

    @Test
    void aBodyOfAKnownLengthIsReadWithItsMeta() throws Exception {
        String reply = OK + META + "Content-Length: 2\r\n\r\n[]and more";
        try (OneReplyServer server = OneReplyServer.tcp(reply)) {
            Answer<List<CsiVolumeStub>> answer = client(server).volumes().list(Params.none());
            assertEquals(new Answer<>(List.of(), new AnswerMeta(7, 3, true, "default.b")), answer);
            String request = server.request();
            assertTrue(request.startsWith("GET /v1/volumes?type=csi HTTP/1.1\r\n"), request);
            String host = server.address().text().substring("http://".length());
            assertTrue(request.contains("\r\nHost: " + host + "\r\n"), request);
        }
    }

    @Test
    void aBodyInChunksIsPutTogether() throws Exception {
        String reply =
                OK + "Transfer-Encoding: chunked\r\n\r\n" + "5;x=y\r\n[\"glo\r\n5\r\nbal\"]\r\n0\r\nTrailer: t\r\n\r\n";
        try (OneReplyServer server = OneReplyServer.tcp(reply)) {
            assertEquals(List.of("global"), client(server).agent().regions());
        }
    }

    @Test
    void aUnixSocketServesToo() throws Exception {
        Path socket = directory.resolve("s");
        try (OneReplyServer server = OneReplyServer.unix(socket, OK + "Content-Length: 6\r\n\r\n\"a:1\"\n")) {
            CleatClient client = new CleatClient(ServerAddress.parse("unix://" + socket), CleatClient.Options.NONE);
            assertEquals("a:1", client.agent().leader());
            assertTrue(server.request().contains("\r\nHost: localhost\r\n"));
        }
    }

    @Test
    void whatIsNoSuccessCarriesStatusAndBody() throws Exception {
        String reply = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nboom";
        try (OneReplyServer server = OneReplyServer.tcp(reply)) {
            CleatClient client = client(server);
            UnexpectedAnswer answer =
                    assertThrows(UnexpectedAnswer.class, () -> client.nodes().list(Params.none()));
            assertEquals("Unexpected response code: 500 (boom)", answer.getMessage());
            assertEquals(500, answer.status());
            assertFalse(answer.isNotFound());
        }
    }

    @Test
    void idsAndValuesAreEscaped() throws Exception {
        try (OneReplyServer server = OneReplyServer.tcp(OK + "Content-Length: 13\r\n\r\n{\"ID\":\"v[0]\"}")) {
            CsiVolume volume = client(server)
                    .volumes()
                    .get("v[0]/x", Params.none().with("q", "a b&c").namespace("n"))
                    .body();
            assertEquals("v[0]", volume.ID());
            assertTrue(server.request().startsWith("GET /v1/volume/csi/v%5B0%5D%2Fx?namespace=n&q=a%20b%26c "));
        }
    }

    @Test
    void optionsGoWithEveryRequestAndAHeaderCannotBeInjected() throws Exception {
        try (OneReplyServer server = OneReplyServer.tcp(OK + "Content-Length: 0\r\n\r\n")) {
            CleatClient client =
                    new CleatClient(server.address(), new CleatClient.Options("ns", "eu", new Secret("t\r\nEvil: 1")));
            client.volumes().delete("v", Secrets.of(Map.of("k", "x")), Params.none());
            String request = server.request();
            assertTrue(request.startsWith("DELETE /v1/volume/csi/v/delete?namespace=ns&region=eu "));
            assertTrue(request.contains("\r\nX-Nomad-CSI-Secrets: k=x\r\n"));
            assertTrue(request.contains("\r\nX-Nomad-Token: t  Evil: 1\r\n"), request);
        }
    }

    @Test
    void whatChangesSomethingCarriesAnIdAndIsSentOnceMoreWhenItsAnswerIsLost() throws Exception {
        try (OneReplyServer server = OneReplyServer.tcp("")) {
            CleatClient client = client(server);
            LinkTrouble lost =
                    assertThrows(LinkTrouble.class, () -> client.agent().collectGarbage());
            assertEquals(Effect.UNKNOWN, lost.effect());
            String first = requestId(server.request());
            assertEquals(36, first.length(), first);
            assertEquals(first, requestId(server.request()), "the same request, not another");
        }
        try (OneReplyServer server = OneReplyServer.tcp(OK + "Content-Length: 3\r\n\r\n\"\"\n")) {
            client(server).agent().leader();
            assertEquals("", requestId(server.request()), "a question needs none");
        }
    }

    private static String requestId(String request) {
        return request.lines()
                .filter(line -> line.startsWith("X-Cleat-Request-Id: "))
                .map(line -> line.substring("X-Cleat-Request-Id: ".length()))
                .findFirst()
                .orElse("");
    }

    @Test
    void aBlockingQuerySaysIndexAndMilliseconds() {
        assertEquals(
                "?index=5&wait=5000ms",
                Params.none().newerThan(5, Duration.ofSeconds(5)).query());
    }

    @Test
    void logFramesComeWithoutHeartbeats() throws Exception {
        String frames = "{}" + Json.text(LogFrame.of("hi".getBytes(StandardCharsets.UTF_8), "f", 2)) + "{}{}";
        try (OneReplyServer server = OneReplyServer.tcp(OK + "\r\n" + frames);
                LogStream stream = client(server).allocations().logs("a", "t", "stdout", true, 0, "start")) {
            assertEquals("hi", new String(stream.next().orElseThrow().bytes(), StandardCharsets.UTF_8));
            assertTrue(stream.next().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[]",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n[]",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[{]",
            })
    void anAnswerCutShortOrStrangeIsTrouble(String reply) throws Exception {
        try (OneReplyServer server = OneReplyServer.tcp(reply)) {
            CleatClient client = client(server);
            assertThrows(LinkTrouble.class, () -> client.nodes().list(Params.none()));
        }
    }

    @Test
    void nobodyListeningHasNoEffect() {
        CleatClient client =
                new CleatClient(new ServerAddress.Unix(directory.resolve("nobody")), CleatClient.Options.NONE);
        LinkTrouble trouble =
                assertThrows(LinkTrouble.class, () -> client.agent().collectGarbage());
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().contains("is an agent running there?"), trouble.reason());
    }

    @Test
    void addressesAreReadAsUsersWriteThem() throws Refused {
        assertEquals(new ServerAddress.Tcp("h", 80), ServerAddress.parse("http://h:80"));
        assertEquals(new ServerAddress.Tcp("h", 4646), ServerAddress.parse("http://h"));
        assertEquals(new ServerAddress.Tcp("h", 9), ServerAddress.parse("h:9"));
        assertEquals(new ServerAddress.Tcp("[::1]", 9), ServerAddress.parse("http://[::1]:9"));
        assertEquals(new ServerAddress.Unix(Path.of("/a/b")), ServerAddress.parse("unix:///a/b"));
        assertThrows(Refused.class, () -> ServerAddress.parse("https://h"));
    }

    @Test
    void membersThatAreNotWell_areAnAnswerToo_andAnotherRefusalOfThatStatusIsNone() throws Exception {
        String unwell = "{\"Healthy\":false,\"FailureTolerance\":0,\"Servers\":[],\"Leader\":\"\",\"Voters\":[]}";
        String status = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: ";
        try (OneReplyServer server = OneReplyServer.tcp(status + unwell.length() + "\r\n\r\n" + unwell)) {
            assertFalse(client(server).agent().autopilotHealth().Healthy());
        }
        try (OneReplyServer server = OneReplyServer.tcp(status + "4\r\n\r\nbusy")) {
            UnexpectedAnswer busy = assertThrows(
                    UnexpectedAnswer.class, () -> client(server).agent().autopilotHealth());
            assertEquals("busy", busy.body());
        }
    }
}
