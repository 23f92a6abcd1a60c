package io.cleat.driver.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The user of its own that a task has is called nobody, as before it had one. */
class OwnNamesTest {
    private static final String OWN = "nobody:x:70001:70001:own user of the task:/local:/bin/sh\n";

    @Test
    void nobodyIsTheTasksUser_andItsGroupIsTheTasksGroup() {
        String passwd = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/no\n";
        assertEquals(OWN + "root:x:0:0:root:/root:/bin/sh\n", OwnNames.passwd(passwd, 70_001));
        assertEquals("nogroup:x:70001:\nroot:x:0:\n", OwnNames.group("root:x:0:\nnogroup:x:65534:\n", passwd, 70_001));
        assertEquals("nobody:x:70001:\nroot:x:0:\n", OwnNames.group("root:x:0:\nnobody:x:65534:\n", passwd, 70_001));
    }

    @Test
    void aMachineThatKnowsNobodyGetsOne() {
        assertEquals(OWN + "root:x:0:0::/:\n", OwnNames.passwd("root:x:0:0::/:", 70_001));
        assertEquals("nobody:x:70001:\n", OwnNames.group("", "", 70_001));
    }
}
