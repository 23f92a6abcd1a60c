@NullMarked
package io.cleat.csi;

import org.jspecify.annotations.NullMarked;
