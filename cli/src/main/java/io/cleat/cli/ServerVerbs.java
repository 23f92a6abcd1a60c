package io.cleat.cli;

import io.cleat.api.AgentMember;
import io.cleat.api.AgentMembers;
import io.cleat.api.AgentSelf;
import io.cleat.api.RaftConfiguration;
import io.cleat.api.RaftServer;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What can be asked about the servers, and done to the whole client. */
final class ServerVerbs {
    private ServerVerbs() {}

    static List<Verb> members() {
        return List.of(Verb.named("server members", "List the servers")
                .about("Lists the servers that the agent knows, and which one leads.")
                .flags(Flag.VERBOSE, Flag.yes("detailed", "Also print each one's tags."), Flag.JSON, Flag.TEMPLATE)
                .examples("cleat server members")
                .does(ServerVerbs::list));
    }

    static List<Verb> operator() {
        return Verbs.join(
                List.of(Verb.named("operator raft list-peers", "List the members of the log")
                        .about("Lists those who keep the replicated log.")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat operator raft list-peers")
                        .does(ServerVerbs::peers)),
                AutopilotVerbs.all(),
                SchedulerVerbs.all(),
                List.of(SnapshotSave.VERB, RecoveryVerbs.RECOVERY));
    }

    static List<Verb> system() {
        return List.of(Verb.named("system gc", "Collect garbage now")
                .about("Removes what is over, whatever its age: ended jobs, evaluations and"
                        + " allocations that hold no claim.")
                .examples("cleat system gc")
                .does(call -> {
                    call.client().agent().collectGarbage();
                    call.out("What is over, and holds no claim, is removed.");
                    return 0;
                }));
    }

    static final Verb AGENT_INFO = Verb.named("agent-info", "Print what the agent counts")
            .about("Prints the figures of the agent that is asked, by part.")
            .flags(Flag.JSON, Flag.TEMPLATE)
            .examples("cleat agent-info", "cleat agent-info -json")
            .does(ServerVerbs::info);

    private static int info(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        AgentSelf self = call.client().agent().self();
        if (call.machine(self)) {
            return 0;
        }
        for (Map.Entry<String, Map<String, String>> part : new TreeMap<>(self.stats()).entrySet()) {
            call.out(VisibleText.line(part.getKey()));
            new TreeMap<>(part.getValue())
                    .forEach((name, value) -> call.out(VisibleText.line("  " + name + " = " + value)));
        }
        return 0;
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        AgentMembers members = call.client().agent().members();
        if (call.machine(members.Members())) {
            return 0;
        }
        if (call.flags().has("detailed")) {
            Columns columns = new Columns("Name", "Address", "Port", "Tags");
            sorted(members)
                    .forEach(one -> columns.row(
                            one.Name(), one.Addr(), Integer.toString(one.Port()), VolumeView.segments(one.Tags())));
            call.out(columns.text());
            return 0;
        }
        String leader = leader(call);
        Columns columns = new Columns(
                "Name", "Address", "Port", "Status", "Leader", "Raft Version", "Build", "Datacenter", "Region");
        for (AgentMember one : sorted(members)) {
            Map<String, String> tags = one.Tags();
            String server = tags.getOrDefault("rpc_addr", one.Addr()) + ":" + tags.getOrDefault("port", "");
            columns.row(
                    one.Name(),
                    one.Addr(),
                    Integer.toString(one.Port()),
                    one.Status(),
                    Boolean.toString(server.equals(leader)),
                    tags.getOrDefault("raft_vsn", ""),
                    tags.getOrDefault("build", ""),
                    tags.getOrDefault("dc", ""),
                    tags.getOrDefault("region", ""));
        }
        call.out(columns.text());
        return 0;
    }

    private static List<AgentMember> sorted(AgentMembers members) {
        return members.Members().stream()
                .sorted(Comparator.comparing(AgentMember::Name))
                .toList();
    }

    /** The leader's address; empty when there is none, which is then said. */
    private static String leader(Call call) throws Failure {
        try {
            return call.client().agent().leader();
        } catch (UnexpectedAnswer | LinkTrouble none) {
            call.say("the leader is not known: " + none.getMessage());
            return "";
        }
    }

    private static int peers(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        RaftConfiguration configuration = call.client().agent().raftConfiguration();
        if (call.machine(configuration)) {
            return 0;
        }
        Columns columns = new Columns("Node", "ID", "Address", "State", "Voter", "RaftProtocol");
        for (RaftServer one : configuration.Servers()) {
            columns.row(
                    one.Node(),
                    one.ID(),
                    one.Address(),
                    one.Leader() ? "leader" : "follower",
                    Boolean.toString(one.Voter()),
                    one.RaftProtocol());
        }
        call.out(columns.text());
        return 0;
    }
}
