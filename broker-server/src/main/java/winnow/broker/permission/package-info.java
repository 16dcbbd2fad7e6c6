/// Permissions: what users may do, by a file.
///
/// Reading order: [Permission] and [ProtectedKind] (what may be allowed, and on what),
/// [PermissionFile] (reads the file `security.permissions`), [Permissions] with [PermissionRule]
/// and [PermissionGroup] (the file in force), [UserPermissions] (the rules for one user),
/// [AccessControl] (what is in force, and what becomes of a refusal), [AuditEvent] (lines of the
/// logger `winnow.audit`).
///
/// A check goes through the rules of one user for one operation. It happens where something is
/// opened or asked for, never for a message.
@NullMarked
package winnow.broker.permission;

import org.jspecify.annotations.NullMarked;
