@NullMarked
package io.cleat.driverplugin;

import org.jspecify.annotations.NullMarked;
