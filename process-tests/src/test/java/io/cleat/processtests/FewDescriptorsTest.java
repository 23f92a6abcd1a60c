package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Params;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent that may open few files, beside a crowd of clients that wait for news. */
class FewDescriptorsTest {
    /** Of which the jars of this test take half. */
    private static final int FILES = 384;

    private static final int CLIENTS = 150;
    private static final int JOBS = 4;

    /** Its API was dead for five minutes after the crowd had gone, and no record could be made. */
    @Test
    void aCrowdThatWaits_keepsNobodyElseOut_andNothingFromBeingStarted() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start("prlimit", "--nofile=" + FILES + ":" + FILES);
            assertTrue(agent.printed().contains("at most " + FILES + " files"), agent::printed);
            agent.create(Words.directory("data"));
            List<SocketChannel> crowd = new ArrayList<>();
            try {
                for (int client = 0; client < CLIENTS; client++) {
                    crowd.add(parked(agent));
                }
                for (int job = 0; job < JOBS; job++) {
                    agent.register(Words.beating("job" + job, "data"));
                }
                for (int job = 0; job < JOBS; job++) {
                    agent.running("job" + job);
                }
            } finally {
                for (SocketChannel client : crowd) {
                    client.close();
                }
            }
            agent.register(Words.beating("after", "data"));
            agent.running("after");
            assertEquals(
                    JOBS + 2, agent.client().jobs().list(Params.none()).body().size());
        }
    }

    private static SocketChannel parked(AgentRun agent) throws IOException {
        SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
        client.connect(UnixDomainSocketAddress.of(agent.data().resolve("http.sock")));
        client.write(ByteBuffer.wrap("GET /v1/volumes?index=1000000&wait=5m HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII)));
        return client;
    }
}
