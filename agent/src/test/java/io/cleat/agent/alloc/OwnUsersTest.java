package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import io.cleat.driver.shim.IdRange;
import io.cleat.kernel.Processes;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OwnUsersTest {
    private static final IdRange THREE = new IdRange(70_001, 70_003);

    private final Set<Long> elsewhere = new HashSet<>();
    private int looks;
    private final OwnUsers users = over(THREE);

    private OwnUsers over(IdRange range) {
        return OwnUsers.of(
                range,
                () -> {
                    looks++;
                    Set<Long> now = Set.copyOf(elsewhere);
                    return now::contains;
                },
                "");
    }

    @Test
    void eachAllocationHasAnIdOfItsOwn_andTheSameWhenItAsksAgain() throws Exception {
        assertEquals(70_001, users.take("a"));
        assertEquals(70_002, users.take("b"));
        assertEquals(70_001, users.take("a"));
        assertEquals(70_003, users.take("c"));
    }

    @Test
    void aFullRangeIsRefused_andWhatIsGivenBackIsTakenOnlyWhenNobodyHasIt() throws Exception {
        for (String each : Set.of("a", "b", "c")) {
            users.take(each);
        }
        KernelTrouble full = assertThrows(KernelTrouble.class, () -> users.take("d"));
        assertTrue(full.reason().contains("the 3 of -exec-users=70001-70003"), full.reason());
        long given = users.take("b");
        users.giveBack("b");
        elsewhere.add(given);
        assertThrows(KernelTrouble.class, () -> users.take("d"));
        elsewhere.clear();
        assertEquals(given, users.take("d"));
    }

    @Test
    void whatAnAllocationHasFromBeforeIsItsOwn() throws Exception {
        users.keep("old", 70_001);
        users.keep("of another range", 12_345);
        assertEquals(70_002, users.take("new"));
        assertEquals(70_001, users.take("old"));
        users.keep("older", 70_003);
        assertThrows(KernelTrouble.class, () -> users.take("newer"));
    }

    @Test
    void whatBecameSomebodysAfterItWasMadeReady_isNotGiven() throws Exception {
        assertEquals(70_001, users.take("a"));
        elsewhere.add(70_002L);
        assertEquals(70_003, users.take("b"));
        elsewhere.clear();
        assertEquals(70_002, users.take("c"), "once it is nobody's again");
    }

    @Test
    void whatWasGivenBackIsTakenLast_andTheMachineIsLookedAtForEach() throws Exception {
        for (int i = 0; i < 2; i++) {
            long first = users.take("a");
            users.giveBack("a");
            assertEquals(first + 1, users.take("b"));
            users.giveBack("b");
            assertEquals(first + 2, users.take("c"));
            users.giveBack("c");
        }
        assertEquals(6, looks);
    }

    @Test
    void aLargeRangeIsNotLookedThroughAsAWhole() throws Exception {
        OwnUsers large = over(new IdRange(1_000_000, 0xfffffffeL));
        assertEquals(1_000_000, large.take("a"));
    }

    @Test
    void twoNodesOfOneMachineBeginAtDifferentIds() throws Exception {
        OwnUsers one = OwnUsers.of(IdRange.USUAL, () -> id -> false, "node one");
        OwnUsers two = OwnUsers.of(IdRange.USUAL, () -> id -> false, "node two");
        assertFalse(one.take("a") == two.take("a"));
    }

    @Test
    void idsOfProcessesAndOfNamedUsersAreTaken() throws Exception {
        var others = OwnUsers.ofThisMachine(Processes.linux()).look();
        for (long id : new TreeSet<>(Processes.linux().users())) {
            assertTrue(others.test(id), Long.toString(id));
        }
        assertTrue(others.test(0));
        assertTrue(others.test(65534), "nobody");
        assertFalse(others.test(0xfffffff0L));
    }
}
