import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPTypes
import Problems
import Releases
import Store

extension APIRoutes {
    /// No address carries a device's identifier: `{device}` is its reference.
    private static let device = "/devices/{device}"

    static let devices: [APIRoute] = [
        APIRoute(.get, "/devices", .everywhere(.admin), query: ["all"]) { call in
            let all = try call.flag("all")
            return try await call.json { try $0.devices(all: all) }
        },
        APIRoute(.post, "/devices", .everywhere(.admin)) { call in
            let new = try call.request(NewDevice.self)
            let site = call.site
            return try await call.answer { local in
                let document = try local.addDevice(new)
                return try APIAnswer.json(document, status: .created)
                    .at(site.links.api("/devices/\(document.device.reference)"))
            }
        },
        APIRoute(.post, "/devices/lookup", .everywhere(.admin)) { call in
            let udid = try call.request(LookupRequest.self).udid
            return try await call.json { try $0.device(udid) }
        },
        APIRoute(.post, "/devices/approve", .everywhere(.admin), bodyLimit: 64 << 10) { call in
            let request = try call.request(ApprovalRequest.self)
            guard (request.devices == nil) == (request.all ?? false) else {
                throw Problem.malformedBody(
                    "the request must either name devices or ask for all of them",
                    fix: "give a list of devices, or all: true",
                )
            }
            return try await call.json { local in
                let udids = try request.devices?.map {
                    try local.admin.device(referencedAs: $0).udid
                }
                return try local.approve(udids)
            }
        },
        APIRoute(.post, "/devices/import", .everywhere(.admin), bodyLimit: 512 << 10) { call in
            let listing = try call.request(DeviceListing.self)
            return try await call.json { try $0.importDevices(listing) }
        },
        APIRoute(.get, "/devices/export", .everywhere(.admin), query: ["all"]) { call in
            let all = try call.flag("all")
            return try await call.json { try $0.exportDevices(all: all) }
        },
        APIRoute(.get, "/devices/export.txt", .everywhere(.admin), query: ["all"]) { call in
            let all = try call.flag("all")
            return try await call.answer {
                APIAnswer.text(
                    try $0.exportDevices(all: all).list,
                    type: "text/tab-separated-values; charset=utf-8",
                )
            }
        },
        APIRoute(.get, device, .everywhere(.admin)) { call in
            let reference = try call.parameter("device")
            return try await call.answer { local in
                let device = try local.admin.device(referencedAs: reference)
                return try APIAnswer.json(local.device(device.udid))
                    .tagged(DocumentTag(of: device))
            }
        },
        APIRoute(.patch, device, .everywhere(.admin)) { call in
            let reference = try call.parameter("device")
            let name = try call.request(RenamingRequest.self).name
            let fields = call.fields
            return try await call.answer { local in
                let device = try local.admin.rename(
                    local.admin.device(referencedAs: reference).udid,
                    to: name,
                ) { try DocumentTag(of: $0).matches(fields) }
                return try APIAnswer.json(local.device(device.udid))
                    .tagged(DocumentTag(of: device))
            }
        },
        APIRoute(.post, device + "/disable", .everywhere(.admin)) { call in
            let reference = try call.parameter("device")
            _ = try call.request(EmptyRequest.self)
            return try await call.json { local in
                let device = try local.admin.device(referencedAs: reference)
                // Twice is as good as once.
                guard device.state != .disabled else { return try local.device(device.udid) }
                return try local.remove(device.udid, erasing: false)
            }
        },
        APIRoute(.delete, device, .everywhere(.admin)) { call in
            let reference = try call.parameter("device")
            return try await call.json { local in
                let device = try local.admin.device(referencedAs: reference)
                return try local.remove(device.udid, erasing: true)
            }
        },
        APIRoute(.get, "/slots", .everywhere(.admin)) { call in
            try await call.json { try $0.slots() }
        },
        APIRoute(.put, "/slots", .everywhere(.admin)) { call in
            let day = try call.request(RenewalRequest.self).renews
            return try await call.json { try $0.renewMembership(on: day) }
        },
    ]
}

extension Links {
    func api(_ path: String) -> String { absolute(APIRoute.root + path) }
}
