@testable import AppleDeveloper
import Foundation
import Identifiers
import Releases
import Testing

/// Both registers are compared, and the plan is shown before it is carried out.
struct DeviceSyncTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func device(
        _ number: Int,
        _ state: Device.State = .registered,
        name: String? = nil,
        family: ProductFamily = .iphone,
    ) throws -> Device {
        Device(
            udid: try TestAccount.udid(number),
            name: name ?? "Device \(number)",
            family: family,
            state: state,
            added: date,
        )
    }

    private func known(
        _ number: Int,
        _ status: AccountDevice.Status = .enabled,
        name: String? = nil,
        family: ProductFamily = .iphone,
    ) throws -> AccountDevice {
        AccountDevice(
            id: try #require(ResourceID("D\(number)")),
            udid: try TestAccount.udid(number),
            name: name ?? "Device \(number)",
            status: status,
            deviceClass: .family(family),
            model: nil,
            added: nil,
        )
    }

    @Test func `no sentence has the identifier that a device is called by at Apple`() throws {
        let udid = try TestAccount.udid(1).rawValue
        for name in [udid, udid.replacing("-", with: ""), "iPad \(udid)"] {
            let plan = DeviceSyncPlan(
                [try device(1), try device(3, .disabled, name: name)],
                comparedWith: [
                    try known(1, name: name), try known(2, name: name), try known(3, name: name),
                ],
            )
            #expect(plan.steps.count == 2 && plan.differences.count == 1)
            let words = plan.steps.map(\.description) + plan.differences.map(\.description)
            let hasDigits = words.contains { $0.contains(udid.suffix(16)) }
            #expect(!hasDigits)
            #expect(words.allSatisfy { $0.contains("(device)") })
        }
    }

    @Test func `registers that agree need nothing`() throws {
        let plan = DeviceSyncPlan(
            [try device(1), try device(2, .enrolled), try device(3, .disabled)],
            comparedWith: [try known(1), try known(3, .disabled)],
        )
        #expect(plan.isInAgreement)
    }

    @Test func `an approved device is registered, and one that is there is noted`() throws {
        let new = try device(1, .approved)
        let there = try device(2, .approved)
        let plan = DeviceSyncPlan([new, there], comparedWith: [try known(2)])
        #expect(plan.steps == [.noteRegistered(there), .register(new)])
        #expect(
            plan.steps.map(\.description) == [
                "mark “Device 2” as registered: the developer account already has it",
                "register “Device 1” with Apple, which uses one iPhone slot",
            ]
        )
    }

    @Test func `what was done by hand at Apple is said and not undone`() throws {
        let disabled = try device(1)
        let removed = try device(2)
        let plan = DeviceSyncPlan(
            [disabled, removed],
            comparedWith: [try known(1, .disabled), try known(7, name: "Ben's iPad")],
        )
        #expect(plan.steps.isEmpty)
        #expect(
            plan.differences == [
                .disabledThere(disabled), .removedThere(removed),
                .onlyThere(try known(7, name: "Ben's iPad")),
            ]
        )
        #expect(
            plan.differences.map(\.description) == [
                "“Device 1” is active here but disabled at Apple",
                "“Device 2” was registered but is no longer in the developer account",
                "“Ben's iPad” is in the developer account but not on this server",
            ]
        )
        #expect(plan.differences.allSatisfy { !$0.fix.isEmpty })
    }

    @Test func `a device that left the team is disabled at Apple, once`() throws {
        let plan = DeviceSyncPlan([try device(1, .disabled)], comparedWith: [try known(1)])
        #expect(plan.steps == [.disable(try known(1))])
        let after = DeviceSyncPlan(
            [try device(1, .disabled)],
            comparedWith: [try known(1, .disabled)],
        )
        #expect(after.isInAgreement)
    }

    @Test func `names follow the register, and families are not guessed`() throws {
        let ana = try device(1, name: "Ana's phone", family: .ipad)
        let plan = DeviceSyncPlan([ana], comparedWith: [try known(1, name: "iPhone")])
        #expect(plan.steps == [.rename(try known(1, name: "iPhone"), to: "Ana's phone")])
        #expect(plan.differences == [.otherFamily(ana, .iphone)])
        #expect(
            plan.differences[0].description
                == "“Ana's phone” is an iPad here but an iPhone at Apple"
        )
    }

    @Test(arguments: [AccountDevice.Status.processing, .ineligible, .other("SLEEPING")])
    func `a device that Apple has not finished with waits`(status: AccountDevice.Status) throws {
        let ana = try device(1, .approved)
        let plan = DeviceSyncPlan([ana], comparedWith: [try known(1, status)])
        #expect(plan.steps.isEmpty && plan.differences == [.waiting(ana, status)])
    }

    @Test func `devices without a slot are named before anything is tried`() throws {
        let account = try (1...99).map { try known($0, $0 % 2 == 0 ? .disabled : .enabled) }
        let all = try (1...99).map { try device($0, $0 % 2 == 0 ? .disabled : .registered) }
        let new = [try device(200, .approved), try device(201, .approved)]
        let pad = try device(202, .approved, family: .ipad)
        let plan = DeviceSyncPlan(all + new + [pad], comparedWith: account)
        #expect(plan.steps == [.register(new[0]), .register(pad)])
        #expect(plan.differences == [.noSlot(new[1])])
        #expect(AccountSlots(account).left(.iphone) == 1)
    }

    @Test func `an identifier of an unknown form is left alone`() throws {
        let odd = AccountDevice(
            id: try #require(ResourceID("D1")),
            udid: nil,
            name: "Odd",
            status: .enabled,
            deviceClass: .other("TOASTER"),
            model: nil,
            added: nil,
        )
        let plan = DeviceSyncPlan([], comparedWith: [odd])
        #expect(plan.steps.isEmpty && plan.differences == [.unreadable(odd)])
    }

    @Test func `after its steps a plan is empty`() throws {
        // Every pair of states in the register and at Apple, with the steps applied to both.
        for state in Device.State.allCases {
            for status in [AccountDevice.Status.enabled, .disabled, .processing, nil] {
                let ours = [try device(1, state, name: "Ana")]
                var theirs = try status.map { [try known(1, $0)] } ?? []
                var states = [state]
                for step in DeviceSyncPlan(ours, comparedWith: theirs).steps {
                    switch step {
                    case .register: theirs = [try known(1, name: "Ana")]
                    case .noteRegistered: states = [.registered]
                    case .rename(let device, let name):
                        theirs = [try known(1, device.status, name: name)]
                    case .disable: theirs = [try known(1, .disabled, name: theirs[0].name)]
                    }
                }
                let again = DeviceSyncPlan(
                    [try device(1, states[0], name: "Ana")],
                    comparedWith: theirs,
                )
                let left = again.steps.filter {
                    if case .noteRegistered = $0 { false } else { true }
                }
                #expect(left.isEmpty, "\(state) \(String(describing: status)): \(left)")
            }
        }
    }
}
