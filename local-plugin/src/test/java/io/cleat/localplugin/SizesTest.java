package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.CapacityRange;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class SizesTest {
    private static final long MIB = Sizes.MIB;

    private static CapacityRange range(long required, long limit) {
        return CapacityRange.newBuilder()
                .setRequiredBytes(required)
                .setLimitBytes(limit)
                .build();
    }

    private static long ext4(long required, long limit) throws CallRefused {
        return Sizes.choose(VolumeType.EXT4, range(required, limit));
    }

    @Test
    void anImageIsRoundedUpToMebibytesAndToTheLeast() throws Exception {
        assertEquals(64 * MIB, ext4(0, 0));
        assertEquals(32 * MIB, ext4(0, 32 * MIB + 7));
        assertEquals(16 * MIB, ext4(1, 0));
        assertEquals(16 * MIB, ext4(16 * MIB, 16 * MIB));
        assertEquals(17 * MIB, ext4(16 * MIB + 1, 0));
    }

    @Test
    void eachFileSystemHasItsLeast() throws Exception {
        assertEquals(300 * MIB, Sizes.choose(VolumeType.XFS, range(1, 0)));
        assertEquals(300 * MIB, Sizes.choose(VolumeType.XFS, range(0, 0)));
        assertEquals(109 * MIB, Sizes.choose(VolumeType.BTRFS, range(1, 114294784)));
        assertEquals(2 * MIB, Sizes.choose(VolumeType.BLOCK, range(MIB + 1, 0)));
        for (VolumeType type : VolumeType.values()) {
            if (type.isImage()) {
                CallRefused refused =
                        assertThrows(CallRefused.class, () -> Sizes.choose(type, range(0, type.least() - 1)));
                assertEquals(Status.Code.OUT_OF_RANGE, refused.code());
                assertTrue(refused.sentence().contains(" " + type.least() + " bytes"), refused::sentence);
            }
        }
    }

    @Test
    void aVolumeIsNeverMadeSmaller() throws Exception {
        assertEquals(32 * MIB, Sizes.atLeast(32 * MIB, VolumeType.EXT4, range(1, 0)));
        assertEquals(33 * MIB, Sizes.atLeast(32 * MIB, VolumeType.EXT4, range(32 * MIB + 1, 0)));
        assertEquals(7, Sizes.atLeast(0, VolumeType.DIRECTORY, range(7, 0)));
        long btrfs = VolumeType.BTRFS.least();
        assertEquals(256 * MIB, Sizes.atLeast(btrfs, VolumeType.BTRFS, range(btrfs + 1, 0)));
        assertThrows(CallRefused.class, () -> Sizes.atLeast(btrfs, VolumeType.BTRFS, range(btrfs + 1, 255 * MIB)));
        CallRefused refused =
                assertThrows(CallRefused.class, () -> Sizes.atLeast(32 * MIB, VolumeType.EXT4, range(0, MIB)));
        assertEquals(Status.Code.OUT_OF_RANGE, refused.code());
        assertTrue(refused.sentence().contains("33554432"), refused::sentence);
    }

    @Test
    void aDirectoryHasWhatIsAskedFor() throws Exception {
        assertEquals(0, Sizes.choose(VolumeType.DIRECTORY, range(0, 0)));
        assertEquals(1, Sizes.choose(VolumeType.DIRECTORY, range(1, 0)));
        assertEquals(7, Sizes.choose(VolumeType.DIRECTORY, range(0, 7)));
    }

    @Test
    void whatCannotBeIsRefusedWithTheFigure() {
        refused(Status.Code.OUT_OF_RANGE, 0, 1000, "16777216");
        refused(Status.Code.OUT_OF_RANGE, 16 * MIB + 1, 16 * MIB + 2, "17825792");
        refused(Status.Code.OUT_OF_RANGE, Long.MAX_VALUE, 0, "8796093022208");
        refused(Status.Code.INVALID_ARGUMENT, 2, 1, "limits them to 1");
        refused(Status.Code.INVALID_ARGUMENT, -1, 0, "-1");
    }

    private static void refused(Status.Code code, long required, long limit, String figure) {
        CallRefused refused = assertThrows(CallRefused.class, () -> ext4(required, limit));
        assertEquals(code, refused.code());
        assertTrue(refused.sentence().contains(figure), refused::sentence);
    }

    @Test
    void anExistingVolumeFitsItsRangeOnly() {
        assertTrue(Sizes.fits(16 * MIB, range(1, 0)));
        assertTrue(Sizes.fits(16 * MIB, range(16 * MIB, 16 * MIB)));
        assertTrue(!Sizes.fits(16 * MIB, range(16 * MIB + 1, 0)));
        assertTrue(!Sizes.fits(16 * MIB, range(0, 16 * MIB - 1)));
    }
}
