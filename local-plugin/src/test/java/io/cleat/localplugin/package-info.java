@NullMarked
package io.cleat.localplugin;

import org.jspecify.annotations.NullMarked;
