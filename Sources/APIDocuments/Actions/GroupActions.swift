import Access
package import Identifiers

/// Lists the groups of testers by name.
package struct ListGroups: Action {
    package typealias Answer = GroupsDocument
    package static let route = ActionRoute(.get, "/groups", .everywhere(.admin))

    package init() {}
}

/// Creates a group without members.
package struct CreateGroup: Action {
    package typealias Answer = GroupDocument
    package static let route = ActionRoute(
        .post,
        "/groups",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewGroup

    package init(_ name: GroupName) {
        content = NewGroup(name: name)
    }

    package static func location(of answer: GroupDocument) -> String? {
        "/groups/" + answer.group.group
    }
}

/// Shows one group with its devices.
package struct ShowGroup: Action {
    package typealias Answer = GroupDocument
    package static let route = ActionRoute(.get, "/groups/{group}", .everywhere(.admin))

    package let group: String

    package init(_ group: String) {
        self.group = group
    }
}

/// Deletes a group that no app, channel or sign-in setting uses.
package struct DeleteGroup: Action {
    package typealias Answer = GroupDocument
    package static let route = ActionRoute(.delete, "/groups/{group}", .everywhere(.admin))

    package let group: String

    package init(_ group: String) {
        self.group = group
    }
}

/// Adds devices to a group: all of them or, on an error, none.
package struct AddToGroup: Action {
    package typealias Answer = GroupDocument
    package static let route = ActionRoute(
        .post,
        "/groups/{group}/add",
        .everywhere(.admin),
        bodyLimit: 64 << 10,
    )

    package let group: String
    package let content: MembershipRequest

    package init(_ devices: [String], to group: String) {
        self.group = group
        content = MembershipRequest(devices: devices)
    }
}

/// Removes devices from a group; they lose access to what only its members may see and install at once.
package struct RemoveFromGroup: Action {
    package typealias Answer = GroupDocument
    package static let route = ActionRoute(
        .post,
        "/groups/{group}/remove",
        .everywhere(.admin),
        bodyLimit: 64 << 10,
    )

    package let group: String
    package let content: MembershipRequest

    package init(_ devices: [String], from group: String) {
        self.group = group
        content = MembershipRequest(devices: devices)
    }
}

/// Shows which channels of which apps the members of each group see.
package struct ShowAccessMatrix: Action {
    package typealias Answer = AccessMatrixDocument
    package static let route = ActionRoute(.get, "/access", .everywhere(.admin))

    package init() {}
}

extension NewGroup: ActionContent {
    package static var keys: Set<String> { ["group"] }
}

extension MembershipRequest: ActionContent {
    package static var keys: Set<String> { ["devices"] }

    package var flaw: ContentFlaw? {
        guard !(1...Self.most).contains(devices.count) else { return nil }
        return ContentFlaw(
            "the request does not name 1 to \(Self.most) devices",
            fix: "give a list of references",
        )
    }
}
