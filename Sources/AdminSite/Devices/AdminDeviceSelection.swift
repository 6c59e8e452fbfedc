import APIDocuments
import Access
import Administration
import Bytes
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// Actions on several devices of the register at once.
struct AdminDeviceSelection: Sendable {
    let gate: AdminGate

    /// Answers `POST /admin/devices/selected`.
    @Sendable func act(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            let back = try Self.page(form, visit)
            guard let choice = DeviceBulk.Choice(form["do"] ?? "") else {
                return .reported(Self.hint("Choose what to do with the devices."), goingTo: back)
            }
            let references = form.names(after: DeviceBulk.prefix)
            guard !references.isEmpty else {
                return .reported(Self.hint("Select devices first."), goingTo: back)
            }
            let devices = try references.map { try visit.device($0) }
            if choice == .disable, form["confirmed"] == nil {
                return .again(try Self.question(devices, form, back, visit), .ok)
            }
            return .done(try Self.perform(choice, on: devices, visit), goingTo: back)
        }
    }

    private static func hint(_ message: String) -> ActionReport {
        var report = ActionReport(message)
        report.isWarning = true
        return report
    }

    /// Returns the path of the page on which the devices were selected.
    private static func page(_ form: FormBody, _ visit: AdminRequest) throws -> String {
        guard let query = DeviceQuery({ form[$0] }) else { throw Refusal.notFound }
        return visit.links.devices(query, page: form["page"].flatMap(Int.init) ?? 1)
    }

    private static func question(
        _ devices: [Device],
        _ form: FormBody,
        _ back: String,
        _ visit: AdminRequest,
    ) throws -> ConfirmPage {
        let names = devices.map(\.name).sorted()
        let shown = names.prefix(10).joined(separator: ", ")
        let rest = names.count > 10 ? ", and \((names.count - 10).grouped) more" : ""
        var fields = DeviceQuery { form[$0] }?.fields ?? []
        if let page = form["page"] { fields.append(("page", page)) }
        fields += [("do", "disable"), ("confirmed", "1")]
        for device in devices {
            fields.append((DeviceBulk.prefix + visit.reference(to: device), "1"))
        }
        return ConfirmPage(
            "Disable \(Wording.count(devices.count, "device"))?",
            consequences: [
                shown + rest + ".",
                "They can no longer open apps that are for approved devices, and leave their groups.",
                "Their slots stay used until your membership renews, as they do at Apple. You can "
                    + "enable each device again.",
            ],
            action: MessagePage.Action(title: "Disable", url: visit.links.selectedDevices),
            fields: fields,
            cancelURL: back,
            admin: try visit.chrome(),
        )
    }

    private static func perform(
        _ choice: DeviceBulk.Choice,
        on devices: [Device],
        _ visit: AdminRequest,
    ) throws -> String {
        let references = devices.map { visit.reference(to: $0) }
        switch choice {
        case .approve:
            let request = ApprovalRequest(devices: references)
            return AdminRegister.sentence(try visit.perform(ApproveDevices(request)).devices)
        case .disable:
            let disabled = try visit.perform(DisableDevices(references)).devices
            return sentence(disabled.map(\.name), "disabled")
        case .join(let group):
            let before = devices.filter { !$0.groups.contains(group) }
            try visit.perform(AddToGroup(references, to: group.rawValue))
            return sentence(before.map(\.name), "added to the group \(group)")
        case .leave(let group):
            let before = devices.filter { $0.groups.contains(group) }
            try visit.perform(RemoveFromGroup(references, from: group.rawValue))
            return sentence(before.map(\.name), "removed from the group \(group)")
        case .add(let team):
            let joined = try visit.perform(AddDevicesToTeam(references, to: team)).devices
            let title = try visit.store.teams().first { $0.identifier == team }?.name
            return sentence(joined.map(\.name), "added to the team \(title ?? team.rawValue)")
        }
    }

    private static func sentence(_ names: [String], _ deed: String) -> String {
        switch names.count {
        case 0: "No device was \(deed): all of them already were."
        case 1: "\(names[0]) was \(deed)."
        default: "\(names.count.grouped) devices were \(deed)."
        }
    }
}
