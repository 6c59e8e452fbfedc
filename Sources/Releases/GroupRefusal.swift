import Bytes
package import Identifiers
package import Problems

/// Why a group cannot be created, changed or used.
package enum GroupRefusal: ReportableError, Equatable {
    case unknown(String)
    case exists(GroupName)
    case tooMany(Int)
    /// A device would be in too many groups.
    case tooManyOfDevice(Int)
    /// Too many channels of an app would have groups of their own.
    case tooManyChannels(Int)
    /// Apps are open to the group; `apps` are their titles.
    case inUse(GroupName, apps: [String])
    /// The sign-in settings make people members of the group.
    case ofSignIn(GroupName)
    /// The app of an invitation, given by title, is open to these groups, but to none of the invitation's.
    case outsideApp(String, [GroupName])

    package var description: String {
        switch self {
        case .unknown(let name): "there is no group \(quoted: name)"
        case .exists(let name): "the group \(name) already exists"
        case .tooMany(let limit): "there are already \(limit) groups"
        case .tooManyOfDevice(let limit): "a device can be in at most \(limit) groups"
        case .tooManyChannels(let limit):
            "at most \(limit) channels of an app can have groups of their own"
        case .inUse(let name, let apps):
            "the group \(name) is used by the access rules of "
                + apps.prefix(5).map { "\(quoted: $0)" }.joined(separator: ", ")
                + (apps.count > 5 ? " and \(apps.count - 5) more" : "")
        case .ofSignIn(let name): "the sign-in settings use the group \(name)"
        case .outsideApp(let app, let names):
            "\(quoted: app) is only open to \(Self.list(names)), so devices that are invited without one of "
                + "them would not see it"
        }
    }

    package var id: String {
        switch self {
        case .unknown: "group.unknown"
        case .exists: "group.exists"
        case .tooMany: "group.too-many"
        case .tooManyOfDevice: "group.too-many-of-device"
        case .tooManyChannels: "group.too-many-channels"
        case .inUse, .ofSignIn: "group.in-use"
        case .outsideApp: "group.outside-app"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .exists, .tooMany, .tooManyOfDevice, .tooManyChannels, .inUse, .ofSignIn,
            .outsideApp:
            .conflict
        }
    }

    package var fix: String {
        switch self {
        case .unknown: "see `ota groups list`, or create it: ota groups create NAME"
        case .exists: "choose another name, or add devices to that group"
        case .tooMany: "delete groups that no app, channel or sign-in setting uses"
        case .tooManyOfDevice: "remove the device from another group first"
        case .tooManyChannels:
            "open channels as the app is: ota channels access APP CHANNEL --access app"
        case .inUse: "change the access of these apps and their channels first"
        case .ofSignIn: "set sign-in without the group first: ota sign-in set"
        case .outsideApp(_, let names):
            "invite with --groups \(names.first?.description ?? "GROUP"), or without --app"
        }
    }

    package var pageFix: String? {
        switch self {
        case .unknown: "choose a group that exists"
        case .tooManyChannels: "open other channels as the app is"
        case .outsideApp: "choose one of these groups, or no app"
        default: fix
        }
    }

    private static func list(_ names: [GroupName]) -> String {
        let named = names.prefix(5).map(\.description).joined(separator: ", ")
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return "the \(names.count == 1 ? "group" : "groups") \(named)\(more)"
    }
}
