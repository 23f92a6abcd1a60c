package io.cleat.agent.alloc;

import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** Allocations of hostile values, and hostile bytes in their files. */
class HostileAllocationTest {
    @Test
    void everyAllocationIsRefusedOrReadBackAsItWas() {
        HostileFormat.assertReadsBack(AllocationStore.FORMAT, KnownAllocation.class, 300);
    }

    @Test
    void damagedFilesAreTroubleAndNothingElse() {
        HostileFormat.assertDamageIsTrouble(AllocationStore.FORMAT, KnownAllocation.class, 800);
    }
}
