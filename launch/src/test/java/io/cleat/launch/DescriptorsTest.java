package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescriptorsTest {
    /** With 256 of them, a hundred clients left none for records. */
    @Test
    void clientsHaveHalfOfWhatTheProgramLeaves_andAtMostTheUsualNumber() {
        assertEquals(48, new Descriptors(256, 96).http().connections());
        assertEquals(4096, new Descriptors(1 << 20, 96).http().connections());
        assertEquals(8, new Descriptors(100, 96).http().connections());
    }

    @Test
    void aLowLimitIsSaid_withWhatToDo() {
        assertEquals(Optional.empty(), new Descriptors(4096, 96).warning());
        String warning = new Descriptors(256, 96).warning().orElseThrow();
        assertTrue(warning.contains("at most 256"), warning);
        assertTrue(warning.contains("48 are for clients"), warning);
        assertTrue(warning.contains("prlimit --nofile=65536:65536"), warning);
        assertTrue(warning.contains("LimitNOFILE="), warning);
    }

    @Test
    void theLimitOfThisProcessIsRead() {
        assertTrue(Descriptors.ofProcess().most() > 64);
    }
}
