package io.cleat.clusterapi.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.api.AutopilotHealth;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.membership.Membership;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the members of the log stand. */
final class AutopilotTest {
    private static final Membership.Member ONE = new Membership.Member("1", "a", "h", 1, true);
    private static final Membership.Member TWO = new Membership.Member("2", "b", "h", 2, true);
    private static final Membership.Member DEAD = new Membership.Member("3", "c", "h", 3, false);

    /** Some members, the second of which leads. */
    private record Members(List<Member> members, @Nullable Member leading, Member self) implements Membership {
        @Override
        public Optional<Member> leader() {
            return Optional.ofNullable(leading);
        }

        @Override
        public long lastContactMillis() {
            return 27;
        }

        @Override
        public LogStanding logOf(Member member) {
            return new LogStanding(2, 40 + member.port(), member.isAlive(), SampleCluster.AT);
        }

        @Override
        public String region() {
            return "global";
        }

        @Override
        public String datacenter() {
            return "dc1";
        }
    }

    @Test
    void oneThatServes_isWell_andMayNotFail() {
        AutopilotHealth health = Autopilot.health(SampleCluster.ALONE, "2.0.6");
        assertEquals(true, health.Healthy());
        assertEquals(0, health.FailureTolerance());
        AutopilotHealth.Server only = health.Servers().getFirst();
        assertEquals("vm.global", only.Name());
        assertEquals("0s", only.LastContact());
        assertEquals(2, only.LastTerm());
        assertEquals(40, only.LastIndex());
        assertEquals(SampleCluster.AT, only.StableSince());
        assertEquals(only.ID(), health.Leader());
    }

    @Test
    void ofThree_oneMayFail_andOnceItHas_noOther() {
        Membership.Member third = new Membership.Member("3", "c", "h", 3, true);
        assertEquals(
                1,
                Autopilot.health(new Members(List.of(ONE, TWO, third), TWO, ONE), "2")
                        .FailureTolerance());
        AutopilotHealth health = Autopilot.health(new Members(List.of(ONE, TWO, DEAD), TWO, ONE), "2");
        assertEquals(false, health.Healthy());
        assertEquals(0, health.FailureTolerance());
        assertEquals(List.of("1", "2", "3"), health.Voters());
        assertEquals("27ms", health.Servers().get(0).LastContact());
        assertEquals(true, health.Servers().get(1).Leader());
        AutopilotHealth.Server failed = health.Servers().get(2);
        assertEquals("failed", failed.SerfStatus());
        assertNull(failed.StableSince());
    }

    @Test
    void withoutALeader_noneIsNamed() {
        assertEquals(
                "", Autopilot.health(new Members(List.of(ONE), null, ONE), "2").Leader());
    }
}
