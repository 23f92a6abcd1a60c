package io.cleat.clusterapi.operator;

import io.cleat.api.AgentMember;
import io.cleat.api.AgentMembers;
import io.cleat.api.AgentSelf;
import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.AutopilotConfiguration;
import io.cleat.api.AutopilotHealth;
import io.cleat.api.Metrics;
import io.cleat.api.RaftConfiguration;
import io.cleat.api.RaftServer;
import io.cleat.api.RecoveryChanged;
import io.cleat.api.RecoveryHolding;
import io.cleat.api.RecoveryNode;
import io.cleat.api.RecoveryState;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SchedulerConfigurationResponse;
import io.cleat.api.SchedulerUpdateResponse;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.clusterapi.query.OrNull;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ReadQuery;
import io.cleat.http.Reply;
import io.cleat.http.WriteQuery;
import io.cleat.server.decide.ConfigureScheduling;
import io.cleat.server.decide.Recovery;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.TableName;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The cluster itself, over the server. */
public final class OperatorAnswers {
    /**
     * Bytes of a snapshot, written as they are read.
     *
     * @param sha256 of all of them, in base64
     */
    public record SnapshotBody(String sha256, Reply.Writer writer) {}

    private final Readings readings;
    private final Requests requests;
    private final Membership membership;
    private final String version;
    private final Time time;

    /** @param version of the API's model that this program follows */
    public OperatorAnswers(Readings readings, Requests requests, Membership membership, String version, Time time) {
        this.readings = readings;
        this.requests = requests;
        this.membership = membership;
        this.version = version;
        this.time = time;
    }

    /** Figures of this moment, from this member's image. */
    public Metrics metrics() throws Refused, Trouble, InterruptedException {
        return Figures.of(readings.images().read(true), membership, version, time.now());
    }

    /** The leader's {@code host:port}; empty if there is none. */
    public String leader() {
        return membership.leader().map(Membership.Member::address).orElse("");
    }

    /** Each member's {@code host:port}. */
    public List<String> peers() {
        return membership.members().stream().map(Membership.Member::address).toList();
    }

    public List<String> regions() {
        return List.of(membership.region());
    }

    public AgentMembers members() {
        return new AgentMembers(
                membership.members().stream().map(this::member).toList(),
                membership.datacenter(),
                membership.self().name(),
                membership.region());
    }

    /** What the agent of this server says of itself, with what the server adds. */
    public AgentSelf self(AgentSelf agent) {
        Optional<Membership.Member> leader = membership.leader();
        Map<String, String> server = new TreeMap<>();
        server.put(
                "leader",
                String.valueOf(leader.filter(membership.self()::equals).isPresent()));
        server.put("leader_addr", leader.map(Membership.Member::address).orElse(""));
        server.put("server", "true");
        Map<String, Map<String, String>> stats = new TreeMap<>(agent.stats());
        stats.put("nomad", server);
        return new AgentSelf(
                agent.config(),
                member(membership.self(), agent.config().Version().Version()),
                stats);
    }

    private AgentMember member(Membership.Member member) {
        return member(member, version);
    }

    /** A server as other members see it; the numbers are those of Nomad's protocols. */
    private AgentMember member(Membership.Member member, String build) {
        Map<String, String> tags = new TreeMap<>();
        tags.put("build", build);
        tags.put("dc", membership.datacenter());
        tags.put("expect", String.valueOf(membership.members().size()));
        tags.put("id", member.id());
        tags.put("port", String.valueOf(member.port()));
        tags.put("raft_vsn", "3");
        tags.put("region", membership.region());
        tags.put("revision", "");
        tags.put("role", "nomad");
        tags.put("rpc_addr", member.host());
        tags.put("vsn", "1");
        if (membership.members().size() == 1) {
            tags.put("bootstrap", "1");
        }
        return new AgentMember(
                member.host(),
                4,
                5,
                2,
                member.name() + "." + membership.region(),
                member.port(),
                2,
                5,
                1,
                member.isAlive() ? "alive" : "failed",
                tags);
    }

    /** How the members of the log stand. */
    public AutopilotHealth autopilotHealth() {
        return Autopilot.health(membership, version);
    }

    /** What is done with members of the log unasked. */
    public AutopilotConfiguration autopilotConfiguration() {
        return AutopilotConfiguration.NOTHING;
    }

    public RaftConfiguration raftConfiguration() {
        String leader = membership.leader().map(Membership.Member::id).orElse("");
        return new RaftConfiguration(
                0,
                membership.members().stream()
                        .map(member -> new RaftServer(
                                member.address(),
                                member.id(),
                                member.id().equals(leader),
                                member.name() + "." + membership.region(),
                                "3",
                                true))
                        .toList());
    }

    /** How jobs are placed. */
    public Answer<SchedulerConfigurationResponse> scheduler(ReadQuery query)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, Versions.of(TableName.SCHEDULING));
        return new Answer<>(SchedulerView.shown(reading.state().scheduling(), reading.meta()), reading.meta());
    }

    /**
     * Says how jobs are placed.
     *
     * @param ifModifyIndex that of what is said now, else nothing changes; empty for any
     */
    public Answer<SchedulerUpdateResponse> setScheduler(
            WriteQuery query, SchedulerConfiguration wanted, OptionalLong ifModifyIndex)
            throws Refused, Trouble, InterruptedException {
        Done<ConfigureScheduling.Reply> configured = requests.scheduling()
                .configure(SchedulerView.read(wanted), OrNull.of(ifModifyIndex), requests.asked(query.requestId()));
        return new Answer<>(
                new SchedulerUpdateResponse(
                        configured.version(), configured.reply().updated()),
                AnswerMeta.ofLeader(configured.version()));
    }

    /** Whether the cluster is in recovery, for which nodes, and what they hold. */
    public RecoveryState recovery(ReadQuery query) throws Refused, Trouble, InterruptedException {
        ClusterState state = readings.images().read(query.stale());
        return new RecoveryState(
                state.isRecovering(),
                state.isRecovering() ? Recovery.words(state) : "",
                state.openPasts().stream()
                        .map(row -> new RecoveryNode(
                                row.nodeId(),
                                row.nodeName(),
                                row.version(),
                                row.lineage(),
                                row.knownThen(),
                                row.since().toString()))
                        .toList(),
                requests.recovery().unheard().stream().map(NodeRow::name).toList(),
                state.holdings().all().stream()
                        .filter(row -> row.isUnknown(state))
                        .map(row -> new RecoveryHolding(
                                row.id().nodeId(),
                                row.id().allocId(),
                                row.id().alias(),
                                row.id().key().pluginId(),
                                row.id().key().externalId(),
                                row.since().toString()))
                        .toList());
    }

    /**
     * Ends the recovery.
     *
     * @param by who says so
     * @param force though a node has not said what it holds
     */
    public RecoveryChanged endRecovery(String by, boolean force) throws Refused, Trouble, InterruptedException {
        return new RecoveryChanged(requests.recovery().end(by, force, requests.deadline()));
    }

    /** A person vouches that nothing is left of what the node holds and nobody knows. */
    public RecoveryChanged abandonHoldings(String nodeId) throws Refused, Trouble, InterruptedException {
        return new RecoveryChanged(requests.recovery().abandon(nodeId, requests.deadline()));
    }

    /** The cluster's image as a file, which another server can begin with. */
    public SnapshotBody snapshot() throws Refused, Trouble, InterruptedException {
        try {
            SnapshotFile file = SnapshotFile.of(readings.images().save());
            return new SnapshotBody(Base64.getEncoder().encodeToString(file.digest()), file::write);
        } catch (IOException impossible) {
            throw new InvariantBroken("an image can be written to no file", impossible);
        }
    }

    public void collectGarbage(WriteQuery query) throws Refused, Trouble, InterruptedException {
        requests.collectGarbage(requests.deadline());
    }
}
