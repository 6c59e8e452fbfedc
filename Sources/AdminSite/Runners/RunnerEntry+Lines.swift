import APIDocuments
import Foundation
import Identifiers
import Pages
import Releases

// Runners, as lines of pages.

extension RunnerEntry {
    /// - Parameters:
    ///   - visit: the admin's request.
    ///   - hasFacts: whether the page also shows ``facts(at:)``, which describe the machine.
    /// - Returns: the runner as pages show it.
    func line(_ visit: AdminRequest, hasFacts: Bool = false) -> RunnerLine {
        RunnerLine(
            name: name,
            url: "\(visit.links.runners)/\(name)",
            state: stateWords,
            tone: tone,
            labels: labels,
            detail: detail(at: visit.now, hasFacts: hasFacts),
            build: building.flatMap { work in
                Slug(work.mirror).map {
                    RunnerLine.Build(
                        words: "\(work.mirror) \(work.subject), build \(work.build)",
                        url: visit.links.build(work.build, of: $0),
                    )
                }
            },
        )
    }

    /// Returns the rows of the table on the runner's page.
    func facts(at date: Date) -> [MirrorPage.Fact] {
        var facts: [MirrorPage.Fact] = [
            .init("Builds for", mirrors.joined(separator: ", ")),
            .init("Takes", references.words),
        ]
        if let machine {
            facts += [
                .init("System", machine.system),
                .init(
                    "Xcode",
                    machine.xcodes.isEmpty ? "none found" : machine.xcodes.joined(separator: ", "),
                ),
                .init("Free disk space", Wording.size(machine.freeBytes)),
                .init(
                    "Agent",
                    machine.agentIsCurrent
                        ? "current"
                        : "differs from this server’s; it updates itself unless started with --no-update",
                ),
            ]
        }
        facts.append(.init("Added", "\(Wording.ago(added, at: date)) by \(addedBy)"))
        if let registered {
            facts.append(.init("Registered", Wording.ago(registered, at: date)))
        }
        return facts
    }

    private func detail(at date: Date, hasFacts: Bool) -> String {
        guard let seen else {
            return codeExpires == nil
                ? "its line has expired: create a new one" : "paste its line on the machine"
        }
        let last =
            state == .offline
            ? "offline since \(Wording.moment(seen)), \(Wording.ago(seen, at: date))"
            : "last seen \(Wording.ago(seen, at: date))"
        guard let machine, !hasFacts else { return last }
        let xcode = machine.xcodes.first.map { ", Xcode \($0)" } ?? ""
        return machine.system + xcode + "; " + last
    }

    private var tone: String {
        switch state {
        case .unregistered, .paused: "warn"
        case .online: "good"
        case .building: "accent"
        case .offline: "bad"
        }
    }
}
