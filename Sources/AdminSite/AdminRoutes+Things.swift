import HTTPTypes

/// Apps, releases and devices.
extension AdminRoutes {
    var things: Table { appPages + releasePages + devicePages }

    private var appPages: Table {
        let apps = AdminApps(gate: gate)
        return [
            ("/apps", [.get: apps.list]),
            ("/apps/{slug}", [.get: apps.page]),
            ("/apps/{slug}/icon.png", [.get: apps.icon]),
            ("/apps/{slug}/settings", [.post: apps.changeSettings]),
            ("/apps/{slug}/devices", [.get: apps.matrix]),
        ]
    }

    private var releasePages: Table {
        let releases = AdminReleases(gate: gate)
        return [
            ("/apps/{slug}/{release}", [.get: releases.page]),
            ("/apps/{slug}/{release}/icon.png", [.get: releases.icon]),
            ("/apps/{slug}/{release}/devices", [.get: releases.devices]),
            ("/apps/{slug}/{release}/provenance.json", [.get: releases.statement]),
            ("/apps/{slug}/{release}/provenance.pem", [.get: releases.statementKey]),
            ("/apps/{slug}/{release}/notes", [.get: releases.notes, .post: releases.changeNotes]),
            (
                "/apps/{slug}/{release}/promote",
                [.get: releases.askToPromote, .post: releases.promote],
            ),
            (
                "/apps/{slug}/{release}/withdraw",
                [.get: releases.askToWithdraw, .post: releases.withdraw],
            ),
            ("/apps/{slug}/{release}/restore", [.post: releases.restore]),
        ]
    }

    private var devicePages: Table {
        let register = AdminRegister(gate: gate)
        let lists = AdminDeviceLists(gate: gate)
        let invitations = AdminInvitations(gate: gate)
        let devices = AdminDevices(gate: gate)
        return [
            ("/devices", [.get: register.list]),
            ("/devices/search", [.post: register.search]),
            ("/devices/approve", [.post: register.approve]),
            ("/devices/add", [.get: register.addForm, .post: register.add]),
            ("/devices/export", [.get: lists.export]),
            ("/devices/import", [.get: lists.importForm, .post: lists.take]),
            ("/devices/invitations", [.get: invitations.list, .post: invitations.invite]),
            ("/devices/invitations/{invitation}", [.get: invitations.page]),
            ("/devices/invitations/{invitation}/revoke", [.post: invitations.revoke]),
            ("/devices/{device}", [.get: devices.page]),
            ("/devices/{device}/approve", [.post: devices.approve]),
            ("/devices/{device}/rename", [.post: devices.rename]),
            ("/devices/{device}/disable", [.get: devices.askToDisable, .post: devices.disable]),
            ("/devices/{device}/enable", [.post: devices.enable]),
            ("/devices/{device}/erase", [.get: devices.askToErase, .post: devices.erase]),
        ]
    }
}
