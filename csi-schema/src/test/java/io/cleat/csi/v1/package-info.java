@NullMarked
package io.cleat.csi.v1;

import org.jspecify.annotations.NullMarked;
