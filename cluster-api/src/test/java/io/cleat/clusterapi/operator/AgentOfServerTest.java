package io.cleat.clusterapi.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AgentConfig;
import io.cleat.api.AgentMember;
import io.cleat.api.AgentSelf;
import io.cleat.api.Json;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server adds to what its agent says of itself. */
final class AgentOfServerTest {
    @Test
    void theMemberThatItIs_andHowItLeads_areAdded() throws Exception {
        OperatorAnswers operator = SampleCluster.start().cluster().operator();
        AgentConfig config = Json.fromTree(Recording.of("47-agent-self").body().get("config"), AgentConfig.class);
        Map<String, String> client = Map.of("node_id", SampleCluster.NODE);
        AgentSelf self = operator.self(new AgentSelf(config, null, Map.of("client", client)));
        AgentMember member = operator.members().Members().getFirst();
        assertEquals(config, self.config());
        assertEquals(member, self.member());
        assertEquals(
                Map.of(
                        "client",
                        client,
                        "nomad",
                        Map.of(
                                "leader", "true",
                                "leader_addr", "127.0.0.1:4647",
                                "server", "true")),
                self.stats());
    }
}
