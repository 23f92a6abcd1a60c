package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.exchange.HttpReply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.type.TypeReference;

/** The agent and the cluster over HTTP. */
public final class AgentClient {
    private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};

    private static final int UNWELL = 429;

    private static final String SCHEDULER = "/v1/operator/scheduler/configuration";

    private final CleatClient client;

    AgentClient(CleatClient client) {
        this.client = client;
    }

    public AgentSelf self() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/agent/self", Params.none(), AgentSelf.class).body();
    }

    public AgentMembers members() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/agent/members", Params.none(), AgentMembers.class)
                .body();
    }

    /**
     * What happens in the cluster, as it happens. The caller closes it.
     *
     * @param topics each such as {@code Job}, or {@code Job:web} for one key; none for all
     * @param index the version to begin with; 0 for the oldest that is kept
     */
    public EventStream events(List<String> topics, long index, Params params) throws UnexpectedAnswer, LinkTrouble {
        Params all = params.with("index", String.valueOf(index));
        for (String topic : topics) {
            all = all.and("topic", topic);
        }
        return new EventStream(client.stream("/v1/event/stream", all));
    }

    /**
     * What an agent logs from now on, each frame whole lines. The caller closes it.
     *
     * @param level {@code trace}, {@code debug}, {@code info}, {@code warn} or {@code error}
     * @param json whether each line is a JSON object
     * @param nodeId whose agent; empty for the one that is asked
     */
    public LogStream monitor(String level, boolean json, String nodeId) throws UnexpectedAnswer, LinkTrouble {
        Params params = Params.none().with("log_level", level).with("log_json", json);
        return new LogStream(
                client.stream("/v1/agent/monitor", nodeId.isEmpty() ? params : params.with("node_id", nodeId)));
    }

    /** A part that does not work is an {@link UnexpectedAnswer} with status 500. */
    public AgentHealth health() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/agent/health", Params.none(), AgentHealth.class).body();
    }

    /** The leader's {@code host:port}; empty if there is none. */
    public String leader() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/status/leader", Params.none(), String.class).body();
    }

    public List<String> peers() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/status/peers", Params.none(), TEXTS).body();
    }

    public List<String> regions() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/regions", Params.none(), TEXTS).body();
    }

    public RaftConfiguration raftConfiguration() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/operator/raft/configuration", Params.none(), RaftConfiguration.class)
                .body();
    }

    /** How jobs are placed. */
    public SchedulerConfigurationResponse scheduler() throws UnexpectedAnswer, LinkTrouble {
        return client.get(SCHEDULER, Params.none(), SchedulerConfigurationResponse.class)
                .body();
    }

    /**
     * Says how jobs are placed.
     *
     * @param ifModifyIndex that of what is said now, else nothing changes; empty for any
     */
    public SchedulerUpdateResponse setScheduler(SchedulerConfiguration wanted, OptionalLong ifModifyIndex)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                        SCHEDULER,
                        ifModifyIndex.isPresent()
                                ? Params.none().with("cas", String.valueOf(ifModifyIndex.getAsLong()))
                                : Params.none(),
                        wanted,
                        SchedulerUpdateResponse.class)
                .body();
    }

    /**
     * Writes a snapshot of the cluster, which another server can begin with; {@code to} is neither flushed nor closed.
     *
     * @throws LinkTrouble also if what came is not what was sent
     * @throws IOException it cannot be written
     */
    public void saveSnapshot(OutputStream to) throws UnexpectedAnswer, LinkTrouble, IOException {
        MessageDigest digest = Sha256.begin();
        try (HttpReply reply = client.stream("/v1/operator/snapshot", Params.none())) {
            reply.body().transferTo(new DigestOutputStream(to, digest));
            String sum = "sha-256=" + Base64.getEncoder().encodeToString(digest.digest());
            if (!reply.field("Digest").equals(sum)) {
                throw new LinkTrouble(
                        "the snapshot has the sum "
                                + sum
                                + ", and the server said "
                                + reply.field("Digest")
                                + ": try again",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
        }
    }

    /** Whether the cluster is in recovery. */
    public RecoveryState recovery() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/operator/recovery", Params.none(), RecoveryState.class)
                .body();
    }

    /**
     * Ends the recovery.
     *
     * @param by who says so
     * @param force though a node has not said what it holds
     */
    public RecoveryChanged endRecovery(String by, boolean force) throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                        "/v1/operator/recovery/end",
                        Params.none(),
                        new RecoveryEndRequest(by, force),
                        RecoveryChanged.class)
                .body();
    }

    /** Frees what a machine holds that is off for good. */
    public RecoveryChanged abandonHoldings(String nodeId) throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                        "/v1/operator/recovery/abandon",
                        Params.none(),
                        new RecoveryAbandonRequest(nodeId),
                        RecoveryChanged.class)
                .body();
    }

    /** How the members of the log stand; also if they are not well. */
    public AutopilotHealth autopilotHealth() throws UnexpectedAnswer, LinkTrouble {
        try {
            return client.get("/v1/operator/autopilot/health", Params.none(), AutopilotHealth.class)
                    .body();
        } catch (UnexpectedAnswer answer) {
            return unwell(answer);
        }
    }

    /** Their state comes with a status of its own, which other refusals have too. */
    private static AutopilotHealth unwell(UnexpectedAnswer answer) throws UnexpectedAnswer {
        if (answer.status() != UNWELL) {
            throw answer;
        }
        try {
            return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), AutopilotHealth.class);
        } catch (Refused otherRefusal) {
            throw answer;
        }
    }

    /** What is done with members of the log unasked. */
    public AutopilotConfiguration autopilotConfiguration() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/operator/autopilot/configuration", Params.none(), AutopilotConfiguration.class)
                .body();
    }

    /** Where the agent finds its servers, each {@code host:port}. */
    public List<String> servers() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/agent/servers", Params.none(), TEXTS).body();
    }

    /** Names with a text in them, at most 100 of each kind. */
    public Answer<FuzzySearchResponse> fuzzySearch(FuzzySearchRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/search/fuzzy", params, request, FuzzySearchResponse.class);
    }

    /** Ids that begin with a prefix, at most 20 for each context. */
    public Answer<SearchResponse> search(SearchRequest request, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/search", params, request, SearchResponse.class);
    }

    public Metrics metrics() throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/metrics", Params.none(), Metrics.class).body();
    }

    public void collectGarbage() throws UnexpectedAnswer, LinkTrouble {
        client.send("PUT", "/v1/system/gc", Params.none(), Map.of());
    }
}
